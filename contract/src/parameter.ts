import { z } from 'zod'

/** A request parameter: the schema that validates it, and its description. */
export type Parameter<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema
  /** Completes "Expected ... for {name}". */
  readonly expected: string
  /** The value of `details.allowed`. */
  readonly allowed: readonly string[] | string
  readonly description: string
}

const oneOf = (values: readonly string[]) => values.map(value => `"${value}"`).join(' or ')

export function choice<const Values extends readonly string[]>(
  values: Values,
  description: string,
): Parameter<z.ZodEnum<{ [Value in Values[number]]: Value }>> {
  return { schema: z.enum(values), expected: oneOf(values), allowed: values, description }
}

export function describe<Schema extends z.ZodType>(parameter: Parameter<Schema>): Schema {
  return parameter.schema.meta({ description: parameter.description })
}
