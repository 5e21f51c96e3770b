import { z } from 'zod'
import { type ErrorCode, errorCodes, errorDefinition } from './error-catalogue.ts'
import { errorExample } from './error-examples.ts'

function describeField(schema: z.core.$ZodType): string {
  return z.globalRegistry.get(schema instanceof z.ZodOptional ? schema.unwrap() : schema)?.description ?? ''
}

/** An example with one field per line. */
function writeExample(code: ErrorCode): string {
  const fields = Object.entries(errorExample(code)).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`)
  return `{\n${fields.join(',\n')}\n}`
}

/** The page docs/reference/errors.md, as Markdown. */
export function buildErrorReference(): string {
  const statuses = [...new Set(errorCodes.map(code => errorDefinition(code).status))].sort((a, b) => a - b)
  const rows = statuses.map(status => {
    const codes = errorCodes.filter(code => errorDefinition(code).status === status)
    const links = codes.map(
      code => `[\`${code}\`](#${code.toLowerCase()})${errorDefinition(code).isRetryable ? ' \\*' : ''}`,
    )
    return `- ${status}: ${links.join(', ')}`
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
    'Every error is JSON: `error` (one sentence for a person), `code` (for a program), and, if they help, `details` and `hint`. An error costs 0 credits. Every answer carries `X-Request-Id`. After an error with a star the same request may succeed later; after others it will fail again.',
    '',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
