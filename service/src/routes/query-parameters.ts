import type { Parameter } from '@vitrine/contract'
import type { z } from 'zod'
import { parseParameter } from '../http/invalid-parameter.ts'
import { readWholeNumber } from '../http/read-number.ts'

/** A parsed query string: a repeated name has a list. */
export type Query = Readonly<Record<string, unknown>>

const own = (query: Query, name: string): unknown => (Object.hasOwn(query, name) ? query[name] : undefined)

/** A text in the query, or undefined if it is missing. @throws {ApiError} INVALID_PARAMETER */
export function readText<Schema extends z.core.$ZodType>(
  query: Query,
  name: string,
  parameter: Parameter<Schema>,
): z.infer<Schema> | undefined {
  const value = own(query, name)
  return value === undefined ? undefined : parseParameter(name, parameter, value)
}

/** An integer in digits, or undefined if it is missing. @throws {ApiError} INVALID_PARAMETER */
export function readInteger<Schema extends z.core.$ZodType>(
  query: Query,
  name: string,
  parameter: Parameter<Schema>,
): z.infer<Schema> | undefined {
  const value = own(query, name)
  if (value === undefined) return undefined
  const integer = typeof value === 'string' ? (readWholeNumber(value) ?? value) : value
  return parseParameter(name, parameter, integer, value)
}
