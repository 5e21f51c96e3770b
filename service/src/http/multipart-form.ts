import { rm } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@vitrine/contract'
import { parseFrameIndex } from '../mockups/frame-key.ts'
import { BodyReader, type CountBytes } from '../received-bytes/body-reader.ts'
import type { BodyRequest } from '../received-bytes/drop-body.ts'
import { type FileContent, GatheredFile } from '../received-bytes/gathered-file.ts'
import { ApiError } from './api-error.ts'
import type { HttpDeadlines } from './deadlines.ts'
import { isPictureType } from './media-type.ts'
import { MultipartReader, type PartHeader, parseBoundary } from './multipart-reader.ts'

/** An uploaded file in its request's private folder. */
export type UploadedFile = FileContent & {
  /** The form field's name. */
  readonly name: string
  readonly file: string
}

export type MultipartForm = {
  /** Text fields in body order; a name may occur more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly files: readonly UploadedFile[]
  /** Fields whose files were skipped because they are not artwork fields. */
  readonly otherFiles: readonly string[]
}

/** The largest artwork for every frame, plus the text fields. A larger body has too large an artwork. */
export const FORM_BYTES_MAX = limits.framesMax * limits.artworkSizeBytesMax + 2 * limits.multipartFieldSizeBytesMax

/**
 * Reads a multipart form. Writes the files of artwork fields to disk as they arrive and skips others.
 *
 * @param options.folder the request's private folder
 * @param options.isHashed whether to compute the files' SHA-256
 * @param options.count called with the bytes read; may abort the body with its own error
 * @throws {ApiError} MALFORMED_REQUEST, ARTWORK_FILE_TOO_LARGE, REQUEST_TOO_LARGE
 * @throws what `BodyReader` throws
 */
export async function readMultipartForm(
  request: BodyRequest,
  { bodyMs, bodyIdleMs }: HttpDeadlines,
  options: { readonly folder: string; readonly isHashed: boolean; readonly count: CountBytes },
): Promise<MultipartForm> {
  const boundary = parseBoundary(request.raw.headers['content-type'] ?? '')
  using source = new BodyReader(request, {
    maxBytes: FORM_BYTES_MAX,
    tooLarge: () => new ApiError('ARTWORK_FILE_TOO_LARGE'),
    count: options.count,
    bodyMs,
    bodyIdleMs,
  })
  const reader = new MultipartReader(source, boundary)
  const fields: (readonly [string, string])[] = []
  const files: UploadedFile[] = []
  const otherFiles: string[] = []
  let fieldBytes = 0
  for (let part = await reader.nextPart(); part !== null; part = await reader.nextPart()) {
    if (!isFile(part)) {
      const value = await readField(reader, limits.multipartFieldSizeBytesMax - fieldBytes)
      fieldBytes += value.length
      fields.push([part.name, readText(value, part)])
    } else if (isArtworkField(part.name)) {
      if (files.length > limits.framesMax)
        throw new ApiError('MALFORMED_REQUEST', {
          message: `Expected at most ${limits.framesMax} artwork files but received more.`,
        })
      const file = path.join(options.folder, `upload-${files.length}`)
      const content = await storeFile(reader, file, options.isHashed)
      // A form's file input that was left empty sends an empty file without a name.
      if ((part.fileName ?? '') === '' && content.sizeBytes === 0) await rm(file)
      else files.push({ name: part.name, file, ...content })
    } else otherFiles.push(part.name)
  }
  return { fields, files, otherFiles }
}

/** Some clients send no file name but a media type. */
function isFile({ name, fileName, mediaType }: PartHeader): boolean {
  return fileName !== null || (isArtworkField(name) && isPictureType(mediaType))
}

/** The text of a field. Some clients (Spring) send every value as JSON, which puts strings in quotes. */
function readText(value: Buffer, { mediaType }: PartHeader): string {
  const text = new TextDecoder().decode(value)
  if (mediaType !== 'application/json' || !text.startsWith('"')) return text
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'string' ? parsed : text
  } catch {
    return text
  }
}

/** The frame index or slot in an artwork field's name, as spelled. */
export function parseArtworkKey(name: string): string | null {
  if (name.startsWith('artwork.')) return name.slice('artwork.'.length)
  const key = name.startsWith('artwork_') ? name.slice('artwork_'.length) : ''
  return parseFrameIndex(key) === null ? null : key
}

/** `artwork`, `artwork_INDEX` of a frame, or `artwork.SLOT`. */
export function isArtworkField(name: string): boolean {
  return name === 'artwork' || parseArtworkKey(name) !== null
}

async function readField(reader: MultipartReader, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  await reader.readBody(piece => {
    sizeBytes += piece.length
    if (sizeBytes > maxBytes) {
      const message = 'The text fields of the multipart body are larger than 1 MB.'
      throw new ApiError('REQUEST_TOO_LARGE', { message })
    }
    pieces.push(Buffer.from(piece))
    return undefined
  })
  return Buffer.concat(pieces)
}

async function storeFile(reader: MultipartReader, file: string, isHashed: boolean): Promise<FileContent> {
  await using stored = await GatheredFile.create(file, { isHashed })
  await reader.readBody(piece => {
    if (stored.sizeBytes + piece.length > limits.artworkSizeBytesMax) throw new ApiError('ARTWORK_FILE_TOO_LARGE')
    return stored.write(piece)
  })
  return await stored.end()
}
