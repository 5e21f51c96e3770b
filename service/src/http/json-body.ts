import { limits } from '@vitrine/contract'
import { type CountBytes, readWhole } from '../received-bytes/body-reader.ts'
import type { BodyRequest } from '../received-bytes/drop-body.ts'
import { ApiError } from './api-error.ts'
import type { HttpDeadlines } from './deadlines.ts'

/**
 * Reads a JSON object.
 *
 * @param count called with the bytes read; may abort the body with its own error
 * @throws {ApiError} REQUEST_TOO_LARGE, MALFORMED_REQUEST
 * @throws what `BodyReader` throws
 */
export async function readJsonBody(
  request: BodyRequest,
  { bodyMs, bodyIdleMs }: HttpDeadlines,
  count?: CountBytes,
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readWhole(request, {
    maxBytes: limits.jsonBodySizeBytesMax,
    tooLarge: () => new ApiError('REQUEST_TOO_LARGE', { message: 'The JSON body is larger than 1 MB.' }),
    bodyMs,
    bodyIdleMs,
    ...(count === undefined ? {} : { count }),
  })
  const body = parseJson(bytes)
  if (!isObject(body))
    throw new ApiError('MALFORMED_REQUEST', { message: 'Expected a JSON object as the request body.' })
  return body
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(bytes: Buffer): unknown {
  try {
    // The decoder strips a byte-order mark and rejects invalid UTF-8.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('MALFORMED_REQUEST', { message: 'Expected JSON as the request body.' })
  }
}
