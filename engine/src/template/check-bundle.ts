import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { ImageCodec } from '../codec.ts'
import { BundleError, type Fault } from './bundle-error.ts'
import type { BundleFiles } from './bundle-files.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import { MAX_DESCRIPTION_SIZE_BYTES } from './bundle-limits.ts'
import { checkPicture } from './check-picture.ts'
import { checkPositions, checkSceneSize } from './check-scene.ts'
import type { FaultCollector } from './fault-collector.ts'
import { layerKinds, ParseLog, type UsedFile } from './parse-log.ts'
import { readTemplate } from './parse-template.ts'
import { suggest } from './suggest.ts'
import type { Template } from './template.ts'

type FileSizes = ReadonlyMap<string, number>

export type CheckedBundle = {
  /** null where a fault is an error */
  readonly template: Template | null
  readonly faults: readonly Fault[]
  /** paths of template.json and of every file that it names, each once */
  readonly usedPaths: ReadonlySet<string>
}

/**
 * All faults of a bundle in one run: of template.json, of the files that it names, of their decoded pictures.
 */
export async function checkBundle(files: BundleFiles, codec: ImageCodec): Promise<CheckedBundle> {
  const log = new ParseLog()
  const sizes: FileSizes = new Map((await files.list()).map(file => [file.path, file.sizeBytes]))
  const json = await readDescription(files, sizes, log.faults)
  if (json === undefined) return { template: null, faults: log.faults.faults, usedPaths: new Set() }
  const template = readTemplate(json, log)
  const checked = new Set<string>()
  for (const file of log.files) {
    // A file may serve several frames; it is checked once for each use.
    const key = `${file.use} ${file.path}`
    if (checked.has(key)) continue
    checked.add(key)
    const facts = await checkFile(files, sizes, file, codec, log.faults)
    if (facts === null || file.use !== 'scene') continue
    checkSceneSize(facts, file, log.faults)
    checkPositions(log, facts)
  }
  const usedPaths = new Set([DESCRIPTION_FILE, ...log.files.map(file => file.path)])
  for (const path of sizes.keys()) {
    if (!usedPaths.has(path) && !isNote(path))
      log.faults.warn(path, '', 'a file that template.json names', 'one that nothing uses')
  }
  return { template: log.faults.hasErrors ? null : template, faults: log.faults.faults, usedPaths }
}

/** A text for readers, such as a licence. */
function isNote(path: string): boolean {
  return /\.(md|txt)$|(^|\/)(licen[cs]e|readme)[^/]*$/i.test(path)
}

/** The parsed template.json, or undefined and a fault. */
async function readDescription(files: BundleFiles, sizes: FileSizes, faults: FaultCollector): Promise<unknown> {
  const sizeBytes = sizes.get(DESCRIPTION_FILE)
  if (sizeBytes === undefined) {
    faults.add('', '', 'a file template.json', nearestFile(DESCRIPTION_FILE, sizes))
    return undefined
  }
  if (sizeBytes > MAX_DESCRIPTION_SIZE_BYTES) {
    faults.add(DESCRIPTION_FILE, '', 'at most 1 MiB of JSON', `${sizeBytes} bytes`)
    return undefined
  }
  const bytes = await readFile(files, DESCRIPTION_FILE, faults)
  if (bytes === null) return undefined
  try {
    // The decoder drops a byte order mark, which some editors write.
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (json !== undefined) return json
  } catch (error) {
    faults.add(DESCRIPTION_FILE, '', 'JSON in UTF-8', error instanceof SyntaxError ? error.message : 'another encoding')
  }
  return undefined
}

async function checkFile(
  files: BundleFiles,
  sizes: FileSizes,
  file: UsedFile,
  codec: ImageCodec,
  faults: FaultCollector,
): Promise<ArtworkFacts | null> {
  if (!sizes.has(file.path)) {
    faults.add(file.path, file.field, 'a file in the bundle', nearestFile(file.path, sizes))
    return null
  }
  const bytes = await readFile(files, file.path, faults)
  if (bytes === null) return null
  try {
    const facts = inspectArtwork(bytes)
    const before = faults.errorCount
    checkPicture(facts, file, faults)
    if (faults.errorCount === before) await decode(bytes, file, codec, faults)
    return facts
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error
    const { expected, received } = splitSentence(error.message)
    faults.add(file.path, file.field, expected, received)
    return null
  }
}

async function readFile(files: BundleFiles, path: string, faults: FaultCollector): Promise<Uint8Array | null> {
  try {
    return await files.read(path)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    for (const fault of error.faults) faults.append(fault)
    return null
  }
}

/** Decodes as rendering does. A mask is decoded in colour too, because a coloured one is a mistake. */
async function decode(bytes: Uint8Array, file: UsedFile, codec: ImageCodec, faults: FaultCollector): Promise<void> {
  await codec.decodeLayer(bytes, layerKinds[file.use])
  if (file.use !== 'mask') return
  const { data } = await codec.decodeLayer(bytes, 'rgb')
  for (let i = 0; i < data.length; i += 3) {
    const red = data[i] ?? 0
    // WebP and JPEG store grey as colour and miss it by a step or two.
    if (Math.abs(red - (data[i + 1] ?? 0)) <= 3 && Math.abs(red - (data[i + 2] ?? 0)) <= 3) continue
    faults.add(file.path, file.field, 'a grey picture (white = seen, black = hidden)', 'a coloured one')
    return
  }
}

function nearestFile(path: string, sizes: FileSizes): string {
  const near = suggest(path, sizes.keys())
  return near === null ? 'nothing' : `nothing (there is "${near}")`
}

/** The two halves of the sentence: Expected {what} but received {value}. */
function splitSentence(sentence: string): { expected: string; received: string } {
  const match = /^Expected (.+) but received (.+)\.$/s.exec(sentence)
  return { expected: match?.[1] ?? 'a sound picture', received: match?.[2] ?? sentence }
}
