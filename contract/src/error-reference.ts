import { errorCodes, errorDefinition } from './error-catalogue.ts'
import { errorExample } from './error-examples.ts'

/** The page docs/reference/errors.md, as Markdown. */
export function buildErrorReference(): string {
  const rows = errorCodes.map(code => {
    const { status, condition, isRetryable } = errorDefinition(code)
    return `| ${status} | [\`${code}\`](#${code.toLowerCase()}) | ${condition} | ${isRetryable ? 'yes' : 'no'} |`
  })
  const sections = errorCodes.flatMap(code => {
    const { status, condition, details, areDetailsOptional, headers, isRetryable } = errorDefinition(code)
    return [
      `## ${code}`,
      '',
      `Status ${status}. ${condition} ${isRetryable ? 'The same request may succeed later.' : 'The same request will fail again.'}`,
      '',
      ...(details === undefined ? [] : [`Details${areDetailsOptional === true ? ' (where they help)' : ''}:`, '']),
      ...Object.entries(details?.shape ?? {}).map(
        ([name, schema]) => `- \`${name}\`: ${schema.meta()?.description ?? ''}`,
      ),
      ...(details === undefined ? [] : ['']),
      ...(headers === undefined ? [] : [`Headers: ${headers.map(header => `\`${header}\``).join(', ')}.`, '']),
      '```json',
      JSON.stringify(errorExample(code), null, 2),
      '```',
      '',
    ]
  })
  return [
    '# Errors',
    '',
    '<!-- Generated from contract/src/error-catalogue.ts by `node scripts/generate-reference.ts`. Do not edit. -->',
    '',
    'Every error is JSON: `error` (one sentence for a person), `code` (for a program), and where they help `details` and `hint`.',
    'An error costs 0 credits. Every answer carries `X-Request-Id`.',
    '',
    '| Status | Code | When | Retry |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
