import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../storage/object-storage.ts'

const HTTP_PARTIAL_CONTENT = 206

/**
 * The part that a request asks for, or null for the whole: several ranges, and those that the body does not
 * have, are ignored, as RFC 9110 (14.2) allows. `etag` names the one content of the address.
 */
export function rangeOf({ headers }: FastifyRequest, sizeBytes: number, etag: string): ByteRange | null {
  const ifRange = headers['if-range']
  if (headers.range === undefined || (ifRange !== undefined && ifRange !== etag)) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range) ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return start < end ? { start, end } : null
}

/** Says which part of a body is sent. */
export function tellRange(reply: FastifyReply, range: ByteRange | null, sizeBytes: number): void {
  reply.header('Accept-Ranges', 'bytes')
  if (range === null) return
  reply.code(HTTP_PARTIAL_CONTENT).header('Content-Range', `bytes ${range.start}-${range.end - 1}/${sizeBytes}`)
}
