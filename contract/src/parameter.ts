import { z } from 'zod'

/** One parameter of a request: the schema that validates it, and the words that explain it. */
export type Parameter<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema
  /** Completes "Expected ... for {name}". */
  readonly expected: string
  /** What `details.allowed` says. */
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
