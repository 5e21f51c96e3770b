import type { IncomingMessage } from 'node:http'
import { limits } from '@vitrine/contract'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import { ApiError } from './api-error.ts'
import { BodyReader, type CountBytes } from './body-reader.ts'
import type { HttpDeadlines } from './deadlines.ts'

/**
 * Reads a JSON object.
 *
 * @param count may end the body with an error of its own
 * @throws {ApiError} REQUEST_TOO_LARGE, MALFORMED_REQUEST, REQUEST_TIMEOUT
 * @throws {ClientGoneError}
 */
export async function readJsonBody(
  request: IncomingMessage,
  deadlines: HttpDeadlines,
  count: CountBytes,
): Promise<Readonly<Record<string, unknown>>> {
  using reader = new BodyReader(request, deadlines, {
    maxBytes: limits.jsonBodySizeBytesMax,
    tooLarge: () => new ApiError('REQUEST_TOO_LARGE', { message: 'The JSON body is larger than 1 MB.' }),
    count,
  })
  const pieces: Buffer[] = []
  for (let piece = await reader.next(); piece !== null; piece = await reader.next()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) releaseBytes(piece)
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
    // The decoder drops a byte-order mark and refuses what is not UTF-8.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('MALFORMED_REQUEST', { message: 'Expected JSON as the request body.' })
  }
}
