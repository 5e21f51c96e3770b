import type { Parameter } from '@vitrine/contract'
import type { z } from 'zod'
import { invalidParameter } from '../http/invalid-parameter.ts'

/** A parsed query string: a name that comes twice has a list. */
export type Query = Readonly<Record<string, unknown>>

/** A text of the query, or undefined where it is absent. @throws {ApiError} INVALID_PARAMETER */
export function readText<Schema extends z.ZodType>(
  query: Query,
  name: string,
  parameter: Parameter<Schema>,
): z.infer<Schema> | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined) return undefined
  const result = parameter.schema.safeParse(value)
  if (!result.success) throw invalidParameter(name, parameter, value)
  return result.data
}

/** An integer of the query in plain digits, or undefined where it is absent. @throws {ApiError} INVALID_PARAMETER */
export function readInteger<Schema extends z.ZodType>(
  query: Query,
  name: string,
  parameter: Parameter<Schema>,
): z.infer<Schema> | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined) return undefined
  const result = parameter.schema.safeParse(
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  )
  if (!result.success) throw invalidParameter(name, parameter, value)
  return result.data
}
