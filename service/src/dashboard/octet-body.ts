import type { FastifyReply, FastifyRequest } from 'fastify'
import { DashboardError } from '../errors/dashboard-error.ts'
import { continueBody } from '../http/expect-continue.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { BodyReader, readWhole } from '../received-bytes/body-reader.ts'
import type { BodyRequest } from '../received-bytes/drop-body.ts'
import type { DashboardServices } from './dashboard-services.ts'

/** A file as the body of a request. */
type OctetBody = { readonly mediaType: string; readonly maxBytes: number }

/** A file that arrives. Its disposal drops what was not read, so that clients read the answer. */
type ArrivingOctets = Disposable & {
  /** What the request states, or the most that it may be. */
  readonly sizeBytes: number
  readonly content: AsyncIterable<Uint8Array>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Missing where a route takes no file. */
    octets?: OctetBody
  }
}

/** What a route that takes a file says of it, among its options. A test asks every such route. */
export function takesOctets(octets: OctetBody): { readonly config: { readonly octets: OctetBody } } {
  return { config: { octets } }
}

/**
 * The most bytes that the file of a request may have, before it is read: as many as are stated.
 * @throws DashboardError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE
 */
export function octetBytesMax(request: FastifyRequest): number {
  const { mediaType, maxBytes } = octetsOf(request)
  const { headers } = request
  if (mediaTypeOf(headers['content-type']) !== mediaType)
    throw new DashboardError('UNSUPPORTED_MEDIA_TYPE', { message: `Expected a file, sent as ${mediaType}.` })
  const stated = Number(headers['content-length'] ?? maxBytes)
  if (stated > maxBytes) throw fileTooLarge(maxBytes)
  return Number.isSafeInteger(stated) ? stated : maxBytes
}

/**
 * Opens the file that is a request's body, where the disk has room for it beside what others pay for.
 * @throws DashboardError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE; DiskFullError; when read what `BodyReader` does
 */
export async function openOctets(
  request: FastifyRequest,
  reply: FastifyReply,
  { storageRoom, deadlines }: Pick<DashboardServices, 'storageRoom' | 'deadlines'>,
): Promise<ArrivingOctets> {
  const { maxBytes } = octetsOf(request)
  const sizeBytes = octetBytesMax(request)
  using stack = new DisposableStack()
  stack.use(await storageRoom.take(sizeBytes))
  continueBody(request, reply)
  const { uploadMs: bodyMs, bodyIdleMs } = deadlines
  const tooLarge = () => fileTooLarge(maxBytes)
  const content = stack.use(new BodyReader(request, { maxBytes, tooLarge, bodyMs, bodyIdleMs }))
  const held = stack.move()
  return { sizeBytes, content, [Symbol.dispose]: () => held.dispose() }
}

/** A body of at most so many bytes, whole. @throws DashboardError TOO_LARGE; what `BodyReader` throws */
export function readBytes(
  request: BodyRequest,
  { deadlines }: Pick<DashboardServices, 'deadlines'>,
  maxBytes: number,
): Promise<Buffer> {
  const tooLarge = () =>
    new DashboardError('TOO_LARGE', { message: `Expected a body of at most ${maxBytes / 1024} KB.` })
  const { bodyMs, bodyIdleMs } = deadlines
  return readWhole(request, { maxBytes, tooLarge, bodyMs, bodyIdleMs })
}

function octetsOf({ routeOptions }: FastifyRequest): OctetBody {
  const { octets } = routeOptions.config
  if (octets === undefined) throw new Error(`The route ${routeOptions.url} reads a file and does not say so`)
  return octets
}

const fileTooLarge = (maxBytes: number) =>
  new DashboardError('TOO_LARGE', { message: `Expected a file of at most ${maxBytes / 1024 / 1024} MB.` })
