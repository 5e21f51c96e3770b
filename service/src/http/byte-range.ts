import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../storage/object-storage.ts'

const HTTP_PARTIAL_CONTENT = 206

/**
 * The requested part, or null for the whole. Several ranges and unsatisfiable ones are ignored, as RFC 9110
 * (14.2) allows. `etag` must identify the only content ever served at the address.
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

/** Sets the status and headers of a partial answer. */
export function setRangeHeaders(reply: FastifyReply, range: ByteRange | null, sizeBytes: number): void {
  reply.header('Accept-Ranges', 'bytes')
  if (range === null) return
  reply.code(HTTP_PARTIAL_CONTENT).header('Content-Range', `bytes ${range.start}-${range.end - 1}/${sizeBytes}`)
}
