import { type FileHandle, open } from 'node:fs/promises'
import { outputFormats } from '@vitrine/contract'
import type { SizedBody } from '../http/sized-stream.ts'
import { describeArtwork } from '../mockups/describe-artwork.ts'
import type { CompleteWork, GeneratedMockup } from '../mockups/generate-mockups.ts'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import type { GenerateParameters } from './generate-parameters.ts'
import { fileNameOf, linkExpiry, linkOf, type NewLinks, type SavedLinks } from './picture-links.ts'

/** The headers of an answer. */
export type AnswerHeader = {
  readonly contentType: string
  /** Null for a batch. */
  readonly templateId: string | null
  readonly durationMs: number
  /** The lowest of all frames, if the answer is a picture; null in JSON, which has each frame's density. */
  readonly artworkDensity: number | null
  /** The URLs of its pictures; null if it is not saved. */
  readonly links: SavedLinks | null
}

type PictureFile = Pick<GeneratedMockup, 'file' | 'sizeBytes'>

/** A text, or a picture to be written as base64. */
type Piece = string | PictureFile

/** Bytes of a picture encoded as base64 at a time: a multiple of 3, so that there is no padding inside. */
const ENCODED_BYTES = 48 * 1024

/** The answer to a request: the picture itself, or JSON with base64, read from files in chunks. */
export function buildAnswer(
  parameters: GenerateParameters,
  generation: CompleteWork,
  links: NewLinks | null,
): AnswerHeader & SizedBody {
  const [first] = generation.mockups
  if (first === undefined) throw new Error('A generation has no mockup')
  const { durationMs } = generation
  const header = { templateId: parameters.isBatch ? null : first.templateId, durationMs }
  const picturesAt = (offsets: readonly number[]) => links && buildSavedLinks(parameters, generation, links, offsets)
  if (parameters.responseFormat === 'binary') {
    const contentType = outputFormats[parameters.format].mediaType
    const artworkDensity = Math.min(...describeArtwork(first.artworks).map(({ density }) => density))
    return {
      ...header,
      artworkDensity,
      links: picturesAt([0]),
      contentType,
      sizeBytes: first.sizeBytes,
      open: pieceBytes => readPieces(first, pieceBytes),
    }
  }
  const pieces = parameters.isBatch
    ? batchPieces(parameters, generation, links)
    : ['{"success":true,', ...picturePieces(parameters, first, links, 0), `,"duration_ms":${durationMs}}`]
  return {
    ...header,
    artworkDensity: null,
    links: picturesAt(offsetsOfPictures(pieces)),
    contentType: 'application/json; charset=utf-8',
    sizeBytes: pieces.reduce((sum, piece) => sum + encodedSizeBytes(piece), 0),
    open: () => encode(pieces),
  }
}

function buildSavedLinks(
  { format }: GenerateParameters,
  { mockups }: CompleteWork,
  { id, tokens, expiresAtMs }: NewLinks,
  offsets: readonly number[],
): SavedLinks {
  const pictures = mockups.map(({ templateId, sizeBytes }, index) => {
    return { templateId, format, sizeBytes, offset: offsets[index] ?? 0 }
  })
  return { id, tokens, expiresAtMs, pictures }
}

/** The offset of each picture's base64. */
function offsetsOfPictures(pieces: readonly Piece[]): number[] {
  let offset = 0
  return pieces.flatMap(piece => {
    const start = offset
    offset += encodedSizeBytes(piece)
    return typeof piece === 'string' ? [] : [start]
  })
}

function batchPieces(
  parameters: GenerateParameters,
  { mockups, durationMs }: CompleteWork,
  links: NewLinks | null,
): Piece[] {
  const totalSizeBytes = mockups.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    '{"success":true,"results":[',
    ...mockups.flatMap((mockup, index) => [
      index === 0 ? '{' : ',{',
      ...picturePieces(parameters, mockup, links, index),
      '}',
    ]),
    `],"count":${mockups.length},"total_size_bytes":${totalSizeBytes},"duration_ms":${durationMs}}`,
  ]
}

function picturePieces(
  { format }: GenerateParameters,
  mockup: GeneratedMockup,
  links: NewLinks | null,
  index: number,
): Piece[] {
  const { templateId, sizeBytes } = mockup
  const place = links && { publicUrl: links.publicUrl, fileName: fileNameOf({ templateId, format }) }
  const rest = JSON.stringify({
    format,
    content_type: outputFormats[format].mediaType,
    size_bytes: sizeBytes,
    artwork: describeArtwork(mockup.artworks),
    ...(links && place && { url: linkOf(links, index, place), url_expires_at: linkExpiry(links) }),
  })
  return [`"template_id":${JSON.stringify(templateId)},"image":"`, mockup, `",${rest.slice(1, -1)}`]
}

function encodedSizeBytes(piece: Piece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : 4 * Math.ceil(piece.sizeBytes / 3)
}

async function* encode(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece)
    else
      for await (const bytes of readPieces(piece, ENCODED_BYTES)) {
        const text = bytes.toString('base64')
        releaseBytes(bytes)
        yield Buffer.from(text, 'latin1')
      }
  }
}

/** The bytes of a picture's file, in chunks of the requested size, except the last. */
async function* readPieces({ file, sizeBytes }: PictureFile, pieceBytes: number): AsyncGenerator<Buffer> {
  await using handle = await open(file)
  for (let leftBytes = sizeBytes; leftBytes > 0; leftBytes -= pieceBytes) {
    const piece = Buffer.allocUnsafeSlow(Math.min(leftBytes, pieceBytes))
    await readWhole(handle, piece)
    yield piece
  }
}

async function readWhole(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let readBytes = 0; readBytes < piece.length; ) {
    const { bytesRead } = await handle.read(piece, readBytes)
    if (bytesRead === 0) throw new Error('The file of a picture is shorter than it was said')
    readBytes += bytesRead
  }
}
