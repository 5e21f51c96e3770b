import { outputFormats } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../http/api-error.ts'
import { rangeOf, setRangeHeaders } from '../http/byte-range.ts'
import { forEveryOrigin } from '../http/cross-origin.ts'
import { countPicture } from '../http/rate-limiting.ts'
import { sendSized } from '../http/sized-stream.ts'
import type { SavedAnswer } from '../idempotency/idempotency.ts'
import type { Services } from '../services.ts'
import type { ByteRange } from '../storage/object-storage.ts'
import { fileNameOf, findPicture, parseLinkName, pictureDisposition, type StoredPicture } from './picture-links.ts'
import { parseSavedHeader } from './saved-answer.ts'

type PictureServices = Pick<Services, 'idempotency' | 'storage' | 'rateLimiter' | 'clock'>

const BASE64_CHARACTERS = 4
const BASE64_BYTES = 3

/**
 * GET and HEAD /pictures/...: a picture of a saved answer, while it is saved. No key is needed, since the
 * URLs cannot be guessed. Requests count only against a limit for the client's address.
 */
export function getPicture(app: FastifyInstance, services: PictureServices): void {
  app.route<{ Params: { name: string; file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/pictures/:name/:file',
    onRequest: countPicture(services.rateLimiter),
    handler: async (request, reply) => {
      const { name, file } = request.params
      const { saved, contentType, picture, expiresAtMs } = await findLinked(name, file, services)
      const { sizeBytes } = picture
      const etag = `"${name.slice(0, name.indexOf('.'))}-${picture.offset}"`
      const range = rangeOf(request, sizeBytes, etag)
      setRangeHeaders(reply, range, sizeBytes)
      const part = range ?? { start: 0, end: sizeBytes }
      const maxAgeS = Math.max(0, Math.floor((expiresAtMs - services.clock()) / 1000))
      const headers = {
        'Content-Type': contentType,
        'Content-Disposition': pictureDisposition(fileNameOf(picture)),
        ETag: etag,
        'Cache-Control': `private, max-age=${maxAgeS}`,
        'X-Robots-Tag': 'noindex',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...forEveryOrigin,
      }
      if (request.method === 'HEAD') {
        reply.headers({ ...headers, 'Content-Length': part.end - part.start }).send()
        return
      }
      const content = await openPart(saved, picture, part, services)
      await sendSized(reply, { sizeBytes: part.end - part.start, open: () => content }, headers)
    },
  })
}

/** @throws {ApiError} NOT_FOUND, whether the URL never existed or has expired */
async function findLinked(name: string, file: string, { idempotency }: PictureServices) {
  const link = parseLinkName(name)
  const saved = link === null ? null : await idempotency.findByLink(link.id)
  const links = saved === null ? null : parseSavedHeader(saved).links
  const picture = link === null || links === null ? null : findPicture(links, link.token)
  if (saved === null || links === null || picture === null || file !== fileNameOf(picture))
    throw new ApiError('NOT_FOUND')
  return { saved, picture, expiresAtMs: links.expiresAtMs, contentType: outputFormats[picture.format].mediaType }
}

/** Bytes of a picture, at its position in the stored body. @throws {ApiError} NOT_FOUND */
async function openPart(
  { bodyObjectKey, sizeBytes: bodyBytes }: SavedAnswer,
  picture: StoredPicture,
  part: ByteRange,
  { storage }: PictureServices,
): Promise<AsyncIterable<Uint8Array>> {
  const isWhole = picture.sizeBytes === bodyBytes
  const object = await storage.open(bodyObjectKey, isWhole ? part : encodedRange(picture, part))
  if (object === null) throw new ApiError('NOT_FOUND')
  return isWhole ? object.content : decodePart(object.content, part)
}

/** The range of base64 that contains a part, in whole groups. */
function encodedRange({ offset }: StoredPicture, { start, end }: ByteRange): ByteRange {
  return {
    start: offset + Math.floor(start / BASE64_BYTES) * BASE64_CHARACTERS,
    end: offset + Math.ceil(end / BASE64_BYTES) * BASE64_CHARACTERS,
  }
}

/** Decodes base64 that begins with the group of `start`, and trims it to the part. */
async function* decodePart(encoded: AsyncIterable<Uint8Array>, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let skipBytes = start % BASE64_BYTES
  let leftBytes = end - start
  let rest = ''
  for await (const piece of encoded) {
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    const whole = text.length - (text.length % BASE64_CHARACTERS)
    rest = text.slice(whole)
    const bytes = Buffer.from(text.slice(0, whole), 'base64').subarray(skipBytes).subarray(0, leftBytes)
    if (whole > 0) skipBytes = 0
    leftBytes -= bytes.length
    if (bytes.length > 0) yield bytes
  }
}
