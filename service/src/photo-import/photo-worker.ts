/**
 * The process that makes a template from one photo, which is only decoded here. It writes a bundle, answers
 * once and exits.
 */
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ArtworkError, BundleError, type BundleStore, describeFault } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import {
  decodePhoto,
  MAX_DRAWING_BYTES,
  makeTemplate,
  outlinesOf,
  PhotoRefusedError,
  type PhotoReport,
  parseDrawing,
} from '@vitrine/photo'
import { answerOnce } from '../sandbox/answer-once.ts'
import { MAX_PHOTO_BYTES } from './limits.ts'
import { PHOTO_BUNDLE_FOLDER } from './photo-files.ts'
import type { MadeOfPhoto, PhotoMessage, PhotoRequest } from './photo-message.ts'

/** Fails to compile if the reports of the package and the message differ. */
type Same<First, Second> = [First, Second] extends [Second, First] ? First : never

answerOnce(run, (error): PhotoMessage | null => {
  if (error instanceof PhotoRefusedError || error instanceof ArtworkError) {
    return { kind: 'refused', message: error.message }
  }
  if (error instanceof BundleError) return { kind: 'refused', message: error.faults.map(describeFault).join(' ') }
  return null
})

async function run({ from, drawing, toFolder, details }: PhotoRequest): Promise<PhotoMessage> {
  const json = parseJson(await readBounded(drawing, MAX_DRAWING_BYTES, 'The drawing'))
  const bytes = await readBounded(from, MAX_PHOTO_BYTES, 'The photo')
  const codec = createSharpCodec()
  const photo = await decodePhoto(bytes, codec)
  const folder = path.join(toFolder, PHOTO_BUNDLE_FOLDER)
  await mkdir(folder, { mode: 0o700 })
  const store: BundleStore = {
    write: (name, bytes) => writeFile(path.join(folder, name), bytes, { mode: 0o600, flag: 'wx' }),
    read: name => readFile(path.join(folder, name)),
  }
  const outlines = outlinesOf(photo, parseDrawing(json))
  // Packed by fflate, as in browsers, so that the dashboard makes the same bytes.
  const { files, report } = await makeTemplate(details, photo, json, outlines, { store, codec })
  const typedReport: Same<PhotoReport, MadeOfPhoto['report']> = report
  return { kind: 'made', report: typedReport, files: [...files] }
}

async function readBounded(file: string, maxBytes: number, what: string): Promise<Uint8Array> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > maxBytes) throw new PhotoRefusedError(`${what} has ${size} bytes: at most ${maxBytes} are read.`)
  return await handle.readFile()
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'another encoding'
    throw new PhotoRefusedError(`Expected JSON in UTF-8 for the drawing but received: ${reason}.`, { cause: error })
  }
}
