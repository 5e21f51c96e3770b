import type { FastifyReply, FastifyRequest } from 'fastify'
import { DashboardError } from '../errors/dashboard-error.ts'
import { continueBody } from '../http/expect-continue.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import { BodyReader, readWhole } from '../received-bytes/body-reader.ts'
import type { BodyRequest } from '../received-bytes/drop-body.ts'
import type { DashboardServices } from './dashboard-services.ts'

/** A file as the body of a request. */
type OctetBody = { readonly mediaType: string; readonly maxBytes: number }

/** A file being received. Disposing discards what was not read, so that clients read the answer. */
type ArrivingOctets = Disposable & {
  /** The announced size, or else the maximum. */
  readonly sizeBytes: number
  readonly content: AsyncIterable<Uint8Array>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Missing if a route receives no file. */
    octets?: OctetBody
  }
}

/** The options of a route that receives a file. A test checks every such route. */
export function takesOctets(octets: OctetBody): { readonly config: { readonly octets: OctetBody } } {
  return { config: { octets } }
}

/**
 * The most bytes that a request's file may have, before it is read: the announced size.
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
 * Opens the file in a request's body, if the disk has enough space apart from the reserve.
 * @throws DashboardError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE; DiskFullError; on reading, what `BodyReader`
 * throws
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

/** Reads a whole body of limited size. @throws DashboardError TOO_LARGE; what `BodyReader` throws */
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
