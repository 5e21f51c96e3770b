import { z } from 'zod'
import { type ErrorCode, errorDefinition } from './error-catalogue.ts'

/** The body of any error answer. */
export type ErrorBody = {
  readonly error: string
  readonly code: ErrorCode
  readonly details?: Readonly<Record<string, unknown>>
  readonly hint?: string
}

/** The exact schema of answers with one code: `details` only if the catalogue has them. */
export function errorBodySchema(code: ErrorCode): z.ZodObject {
  const { details, areDetailsOptional, hint } = errorDefinition(code)
  const hintSchema = z.string().meta({ description: 'What the caller can do' })
  return z.object({
    error: z.string().meta({ description: 'One sentence for a person' }),
    code: z.literal(code),
    ...(details === undefined ? {} : { details: areDetailsOptional === true ? details.optional() : details }),
    hint: hint === undefined ? hintSchema.optional() : hintSchema,
  })
}
