/**
 * The process that reads one Photoshop file: its pictures are decoded here and nowhere else. It writes a
 * bundle, answers once and ends.
 */
import { readSync } from 'node:fs'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OpaquePixmap, RewritableStore } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec, deflateParts, encodeLayer } from '@vitrine/engine/node'
import {
  bytesOnDisk,
  describeReport,
  type FileBytes,
  type FrameChoice,
  type ImportReport,
  importPsd,
  MAX_FILE_BYTES,
  PsdRefusedError,
} from '@vitrine/psd'
import { answerOnce } from '../sandbox/answer-once.ts'
import { BUNDLE_FOLDER, DIFFERENCE_FILE, OURS_FILE, PHOTOSHOP_FILE } from './psd-files.ts'
import type { ImportedPsd, PsdMessage, PsdRequest } from './psd-report.ts'

/** Of the picture that frames are chosen on: half of a window. */
const CHOICE_SIDE_PX = 1600

/** Nothing compiles where the package and the contract have different reports. */
type Same<First, Second> = [First, Second] extends [Second, First] ? First : never

answerOnce(run, (error): PsdMessage | null => (error instanceof PsdRefusedError ? refusalOf(error, []) : null))

function refusalOf({ message, choices, maps }: PsdRefusedError, places: FrameChoice['places']): PsdMessage {
  return { kind: 'refused', message, choices, maps, places }
}

async function run({ from, toFolder, maps = [], ...options }: PsdRequest): Promise<PsdMessage> {
  await using opened = new AsyncDisposableStack()
  const file = await openBytes(from, opened)
  const mapFiles: { name: string; bytes: FileBytes }[] = []
  for (const { name, path: at } of maps) mapFiles.push({ name, bytes: await openBytes(at, opened) })
  const codec = createSharpCodec()
  const onStep = (step: Extract<PsdMessage, { kind: 'step' }>['step']): void => {
    // The collector does not see what pictures weigh.
    globalThis.gc?.()
    process.send?.({ kind: 'step', step })
  }
  const folder = path.join(toFolder, BUNDLE_FOLDER)
  await mkdir(folder, { mode: 0o700 })
  const store: RewritableStore = {
    write: (name, bytes) => writeNew(path.join(folder, name), bytes),
    read: name => readFile(path.join(folder, name)),
    remove: name => rm(path.join(folder, name)),
  }
  let offered: FrameChoice | undefined
  const onChoice = (choice: FrameChoice): void => {
    offered = choice
  }
  const tools = { codec, kernel: createFrameKernel(), store, deflate: deflateParts, onStep, onChoice }
  const imported = await importPsd(file, { ...options, maps: mapFiles }, tools).catch((error: unknown) => {
    if (error instanceof PsdRefusedError && offered) return error
    throw error
  })
  if (imported instanceof PsdRefusedError) {
    if (offered) {
      const { picture } = offered
      const scale = Math.min(1, CHOICE_SIDE_PX / Math.max(picture.widthPx, picture.heightPx))
      const sizeOf = (side: number): number => Math.max(1, Math.round(side * scale))
      const small = await codec.resize(picture, sizeOf(picture.widthPx), sizeOf(picture.heightPx))
      await writeNew(path.join(toFolder, PHOTOSHOP_FILE), await encodeLayer(small))
    }
    return refusalOf(imported, offered?.places ?? [])
  }
  const { files, report, missingMaps, comparison } = imported
  if (comparison) {
    const pictures: (readonly [string, OpaquePixmap])[] = [
      [PHOTOSHOP_FILE, comparison.theirs],
      [OURS_FILE, comparison.ours],
      [DIFFERENCE_FILE, comparison.difference],
    ]
    for (const [file, picture] of pictures) await writeNew(path.join(toFolder, file), await encodeLayer(picture))
  }
  const told: Same<ImportReport, ImportedPsd['report']> = report
  return {
    kind: 'imported',
    report: told,
    lines: describeReport(report, path.basename(from)),
    files: [...files],
    hasComparison: comparison !== null,
    missingMaps,
  }
}

/** A file, not whole in memory: it has up to 500 MB. @throws PsdRefusedError where it has more */
async function openBytes(from: string, opened: AsyncDisposableStack): Promise<FileBytes> {
  const file = opened.use(await open(from))
  const { size } = await file.stat()
  if (size > MAX_FILE_BYTES) {
    throw new PsdRefusedError(`The file has more than ${MAX_FILE_BYTES / 1e6} MB. Merge layers and save again.`)
  }
  return bytesOnDisk(size, (target, position) => {
    const readBytes = readSync(file.fd, target, 0, target.byteLength, position)
    if (readBytes < target.byteLength) throw new Error(`${from} is shorter than it was`)
  })
}

function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  return writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
}
