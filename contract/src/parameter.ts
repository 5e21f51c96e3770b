import { z } from 'zod'

/**
 * A request parameter: the schema that validates it, and its description. Of Zod's core, as wherever any
 * schema is meant: to relate a schema to `z.ZodType`, the compiler compares all their methods, for seconds.
 */
export type Parameter<Schema extends z.core.$ZodType = z.core.$ZodType> = {
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

export function describe<Schema extends z.core.$ZodType>(
  { schema, description }: Parameter<Schema>,
  more = '',
): Schema {
  const described = z.clone(schema)
  z.globalRegistry.add(described, { description: `${description}${more}` })
  return described
}
