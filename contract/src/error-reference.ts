import { z } from 'zod'
import { type ErrorCode, errorCodes, errorDefinition } from './error-catalogue.ts'
import { errorExample } from './error-examples.ts'

function describeField(schema: z.core.$ZodType): string {
  return z.globalRegistry.get(schema instanceof z.ZodOptional ? schema.unwrap() : schema)?.description ?? ''
}

/** An example with a field a line. */
function writeExample(code: ErrorCode): string {
  const fields = Object.entries(errorExample(code)).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`)
  return `{\n${fields.join(',\n')}\n}`
}

/** The page docs/reference/errors.md, as Markdown. */
export function buildErrorReference(): string {
  const rows = errorCodes.map(code => {
    const { status, isRetryable } = errorDefinition(code)
    return `| ${status} | [\`${code}\`](#${code.toLowerCase()}) | ${isRetryable ? 'yes' : ''} |`
  })
  const sections = errorCodes.flatMap(code => {
    const { status, condition, details, areDetailsOptional, headers } = errorDefinition(code)
    return [
      `## ${code}`,
      '',
      `${status}. ${condition}`,
      '',
      ...(details === undefined ? [] : [`Details${areDetailsOptional === true ? ' (where they help)' : ''}:`, '']),
      ...Object.entries(details?.shape ?? {}).map(([name, schema]) => `- \`${name}\`: ${describeField(schema)}`),
      ...(details === undefined ? [] : ['']),
      ...(headers === undefined ? [] : [`Headers: ${headers.map(header => `\`${header}\``).join(', ')}.`, '']),
      '```json',
      writeExample(code),
      '```',
      '',
    ]
  })
  return [
    '# Errors',
    '',
    '<!-- Generated from contract/src/error-catalogue.ts by `node scripts/generate-reference.ts`. Do not edit. -->',
    '',
    'Every error is JSON: `error` (one sentence for a person), `code` (for a program), and where they help `details` and `hint`. An error costs 0 credits. Every answer carries `X-Request-Id`. Where *Retry* says yes, the same request may succeed later; else it will fail again.',
    '',
    '| Status | Code | Retry |',
    '|---|---|---|',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
