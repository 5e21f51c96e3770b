import { limits, type Parameter } from '@vitrine/contract'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { describeReceived, receivedDetail } from './received-value.ts'

/** 400 INVALID_PARAMETER with the message: Expected {expected} for {name} but received {received}. */
export function invalidParameter(
  name: string,
  expected: Pick<Parameter, 'expected' | 'allowed'>,
  received: unknown,
): ApiError {
  return new ApiError('INVALID_PARAMETER', {
    message: `Expected ${expected.expected} for ${name} but received ${describeReceived(received)}.`,
    details: { parameter: name, received: receivedDetail(received), allowed: expected.allowed },
  })
}

/**
 * Validates a parameter by its schema.
 *
 * @param received the raw value, if `value` was parsed from it
 * @throws {ApiError} INVALID_PARAMETER
 */
export function parseParameter<Schema extends z.core.$ZodType>(
  name: string,
  parameter: Omit<Parameter<Schema>, 'description'>,
  value: unknown,
  received = value,
): z.infer<Schema> {
  const result = z.safeParse(parameter.schema, value)
  if (!result.success) throw invalidParameter(name, parameter, received)
  return result.data
}

/**
 * Rejects an object with too many entries before any of them is validated.
 *
 * @throws {ApiError} INVALID_PARAMETER
 */
export function refuseManyEntries(name: string, value: object): void {
  const count = Object.keys(value).length
  if (count <= limits.entriesMax) return
  const allowed = `at most ${limits.entriesMax} entries`
  throw new ApiError('INVALID_PARAMETER', {
    message: `Expected ${allowed} for ${name} but received ${count}.`,
    details: { parameter: name, received: `${count} entries`, allowed },
  })
}
