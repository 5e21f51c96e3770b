import type { Parameter } from '@vitrine/contract'
import { ApiError } from './api-error.ts'
import { describeReceived, receivedDetail } from './received-value.ts'

/** 400 INVALID_PARAMETER in one sentence: Expected {what} for {where} but received {value}. */
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
