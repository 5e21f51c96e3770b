import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { contentTypeOf } from '@vitrine/contract'
import type { CompleteWork, GeneratedMockup } from '../mockups/generate-mockups.ts'
import type { GenerateParameters } from './generate-parameters.ts'

/** A finished answer whose pictures are in files: it is sent piece by piece, and its size is known before. */
export interface GeneratedAnswer {
  readonly contentType: string
  readonly sizeBytes: number
  /** The bytes, anew for every call. */
  readonly open: () => Readable
}

/** A text, or a picture to be written as base64. */
type Piece = string | Pick<GeneratedMockup, 'file' | 'sizeBytes'>

/** Bytes read at a time: a multiple of 3, so that base64 needs no padding inside. */
const READ_BYTES = 48 * 1024

/** The answer to a request: the picture itself, or JSON with base64 in it. */
export function buildAnswer(parameters: GenerateParameters, generation: CompleteWork): GeneratedAnswer {
  const [first] = generation.mockups
  if (first === undefined) throw new Error('A generation has no mockup')
  const contentType = contentTypeOf(parameters.format)
  if (parameters.responseFormat === 'binary')
    return { contentType, sizeBytes: first.sizeBytes, open: () => createReadStream(first.file) }
  const pieces = parameters.isBatch ? batchPieces(parameters, generation) : singlePieces(parameters, first, generation)
  return {
    contentType: 'application/json; charset=utf-8',
    sizeBytes: pieces.reduce((sum, piece) => sum + encodedSizeBytes(piece), 0),
    open: () => Readable.from(encode(pieces), { objectMode: false }),
  }
}

function singlePieces(parameters: GenerateParameters, mockup: GeneratedMockup, { durationMs }: CompleteWork): Piece[] {
  return ['{"success":true,', ...picturePieces(parameters, mockup), `,"duration_ms":${durationMs}}`]
}

function batchPieces(parameters: GenerateParameters, { mockups, durationMs }: CompleteWork): Piece[] {
  const totalSizeBytes = mockups.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    '{"success":true,"results":[',
    ...mockups.flatMap((mockup, index) => [index === 0 ? '{' : ',{', ...picturePieces(parameters, mockup), '}']),
    `],"count":${mockups.length},"total_size_bytes":${totalSizeBytes},"duration_ms":${durationMs}}`,
  ]
}

function picturePieces({ format }: GenerateParameters, mockup: GeneratedMockup): Piece[] {
  const { templateId, sizeBytes } = mockup
  const rest = JSON.stringify({ format, content_type: contentTypeOf(format), size_bytes: sizeBytes })
  return [`"template_id":${JSON.stringify(templateId)},"image":"`, mockup, `",${rest.slice(1, -1)}`]
}

function encodedSizeBytes(piece: Piece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : 4 * Math.ceil(piece.sizeBytes / 3)
}

async function* encode(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece)
    else yield* encodeFile(piece.file)
  }
}

async function* encodeFile(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    if (!Buffer.isBuffer(chunk)) throw new Error('A file was read as text')
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}
