import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { ImageCodec } from '../codec.ts'
import type { Rect } from '../geometry/rect.ts'
import type { OpaquePixmap, WidePixmap } from '../pixmap.ts'
import { BundleError, type Fault } from './bundle-error.ts'
import type { BundleFiles } from './bundle-files.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import { MAX_BUNDLE_PIXELS, MAX_DESCRIPTION_SIZE_BYTES } from './bundle-limits.ts'
import { checkPicture } from './check-picture.ts'
import { checkOperationAreas, checkPositions, checkSceneSize } from './check-scene.ts'
import type { FaultCollector } from './fault-collector.ts'
import { layerKinds, ParseLog, type UsedFile } from './parse-log.ts'
import { readTemplate } from './parse-template.ts'
import { findShown } from './prepare-layer.ts'
import { suggest } from './suggest.ts'
import type { Template } from './template.ts'
import { checkTemplateCost, estimateTemplateCost, type FindLayer, type TemplateCost } from './template-cost.ts'

type FileSizes = ReadonlyMap<string, number>

export type CheckedBundle = {
  /** null if any fault is an error */
  readonly template: Template | null
  readonly faults: readonly Fault[]
  /** paths of template.json and of every file that it names, each once */
  readonly usedPaths: ReadonlySet<string>
  /** also of a template that is too costly; null if any other fault is an error */
  readonly cost: TemplateCost | null
}

/** A picture of the bundle with its header. Only pictures with a valid header are decoded. */
type InspectedFile = { readonly file: UsedFile; readonly facts: ArtworkFacts | null; readonly isSound: boolean }

/**
 * All faults of a bundle in one pass: of template.json, the files it names, their decoded pictures, and the
 * template's cost. Nothing is decoded if the headers show that it costs too much. `known`: the visible parts
 * of pictures that the caller has just encoded; they are not decoded.
 */
export async function checkBundle(
  files: BundleFiles,
  codec: ImageCodec,
  known: ReadonlyMap<string, Rect> = new Map(),
): Promise<CheckedBundle> {
  const log = new ParseLog()
  const { faults } = log
  const sizes: FileSizes = new Map((await files.list()).map(file => [file.path, file.sizeBytes]))
  const json = await readJson(files, sizes, { field: '', path: DESCRIPTION_FILE }, faults)
  if (json === undefined) return { template: null, faults: faults.faults, usedPaths: new Set(), cost: null }
  const parsed = readTemplate(json, log)
  const inspected = new Map<string, InspectedFile>()
  let isSceneSound = false
  for (const file of log.files) {
    // A file may be used by several frames; it is checked for each use.
    const key = keyOf(file)
    if (inspected.has(key)) continue
    const before = faults.errorCount
    const facts = await inspectFile(files, sizes, file, faults)
    if (facts !== null && file.use === 'scene') {
      checkSceneSize(facts, file, faults)
      isSceneSound = faults.errorCount === before
      checkPositions(log, facts)
      if (parsed !== null) checkOperationAreas(parsed, facts, faults)
    }
    inspected.set(key, { file, facts, isSound: faults.errorCount === before })
  }
  const shown = new Map<string, Rect>()
  const findLayer: FindLayer = (use, path) => {
    const key = keyOf({ use, path })
    const facts = inspected.get(key)?.facts
    return { widthPx: facts?.widthPx ?? 1, heightPx: facts?.heightPx ?? 1, shown: shown.get(key) ?? null }
  }
  const isBounded = checkPixels(inspected.values(), faults)
  const early = parsed !== null && isSceneSound ? estimateTemplateCost(parsed, findLayer) : null
  const isCheap = early === null || !checkTemplateCost(early, faults)
  for (const { file, isSound } of inspected.values()) {
    if (!isBounded || !isCheap || !isSound) continue
    const part = known.get(file.path) ?? (await decodeFile(files, file, codec, faults))
    if (part !== null) shown.set(keyOf(file), part)
  }
  for (const file of log.jsonFiles) await readJson(files, sizes, file, faults)
  const usedPaths = new Set([DESCRIPTION_FILE, ...[...log.files, ...log.jsonFiles].map(file => file.path)])
  for (const path of sizes.keys()) {
    if (!usedPaths.has(path) && !isNote(path))
      faults.warn(path, '', 'a file that template.json names', 'one that nothing uses')
  }
  if (!isCheap || parsed === null || faults.hasErrors) {
    return { template: null, faults: faults.faults, usedPaths, cost: isCheap ? null : early }
  }
  // Now the visible parts of all layers are known.
  const cost = estimateTemplateCost(parsed, findLayer)
  checkTemplateCost(cost, faults)
  return { template: faults.hasErrors ? null : parsed, faults: faults.faults, usedPaths, cost }
}

function keyOf({ use, path }: Pick<UsedFile, 'use' | 'path'>): string {
  return `${use} ${path}`
}

/** Limits what is decoded, whatever the description says. Returns whether it may be. */
function checkPixels(inspected: Iterable<InspectedFile>, faults: FaultCollector): boolean {
  let pixels = 0
  for (const { facts } of inspected) pixels += (facts?.widthPx ?? 0) * (facts?.heightPx ?? 0)
  if (pixels <= MAX_BUNDLE_PIXELS) return true
  const received = `${Math.ceil(pixels / 1e6)} megapixels`
  faults.add('', '', `pictures of at most ${MAX_BUNDLE_PIXELS / 1e6} megapixels together`, received)
  return false
}

/** A text for people, such as a licence. */
function isNote(path: string): boolean {
  return /\.(md|txt)$|(^|\/)(licen[cs]e|readme)[^/]*$|^import\.json$/i.test(path)
}

/** Parses a JSON file; undefined, and a fault, if it is invalid. */
async function readJson(
  files: BundleFiles,
  sizes: FileSizes,
  { field, path }: Omit<UsedFile, 'use'>,
  faults: FaultCollector,
): Promise<unknown> {
  const sizeBytes = sizes.get(path)
  if (sizeBytes === undefined) {
    if (path === DESCRIPTION_FILE) faults.add('', '', 'a file template.json', nearestFile(path, sizes))
    else faults.add(path, field, 'a file in the bundle', nearestFile(path, sizes))
    return undefined
  }
  if (sizeBytes > MAX_DESCRIPTION_SIZE_BYTES) {
    faults.add(path, field, 'at most 1 MiB of JSON', `${sizeBytes} bytes`)
    return undefined
  }
  const bytes = await readFile(files, path, faults)
  if (bytes === null) return undefined
  try {
    // The decoder skips a byte order mark, which some editors write.
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (json !== undefined) return json
  } catch (error) {
    faults.add(path, field, 'JSON in UTF-8', error instanceof SyntaxError ? error.message : 'another encoding')
  }
  return undefined
}

/** Reads a picture's header; null, and a fault, if it is invalid. */
async function inspectFile(
  files: BundleFiles,
  sizes: FileSizes,
  file: UsedFile,
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
    checkPicture(facts, file, faults)
    return facts
  } catch (error) {
    addArtworkFault(error, file, faults)
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

/**
 * Decodes a picture as rendering does. Returns the visible part of a layer, or null if it is no layer or has
 * a fault. Masks are decoded in colour too, because a coloured one is a mistake.
 */
async function decodeFile(
  files: BundleFiles,
  file: UsedFile,
  codec: ImageCodec,
  faults: FaultCollector,
): Promise<Rect | null> {
  const bytes = await readFile(files, file.path, faults)
  if (bytes === null) return null
  try {
    const layer = await codec.decodeLayer(bytes, layerKinds[file.use])
    if (file.use === 'mask' && isColoured(await codec.decodeLayer(bytes, 'rgb'))) {
      faults.add(file.path, file.field, 'a grey picture (white = seen, black = hidden)', 'a coloured one')
    }
    return layer.alpha === 'opaque' ? null : layer.alpha === 'wide' ? wholeOf(layer) : findShown(layer)
  } catch (error) {
    addArtworkFault(error, file, faults)
    return null
  }
}

/** Pictures that hold factors for colours apply everywhere. */
function wholeOf({ widthPx, heightPx }: WidePixmap): Rect {
  return { left: 0, top: 0, widthPx, heightPx }
}

function isColoured({ data }: OpaquePixmap): boolean {
  for (let i = 0; i < data.length; i += 3) {
    const red = data[i] ?? 0
    // WebP and JPEG store grey as colour, with errors of a step or two.
    if (Math.abs(red - (data[i + 1] ?? 0)) > 3 || Math.abs(red - (data[i + 2] ?? 0)) > 3) return true
  }
  return false
}

/** Rethrows errors that are not about the picture. */
function addArtworkFault(error: unknown, file: UsedFile, faults: FaultCollector): void {
  if (!(error instanceof ArtworkError)) throw error
  const { expected, received } = splitSentence(error.message)
  faults.add(file.path, file.field, expected, received)
}

function nearestFile(path: string, sizes: FileSizes): string {
  const near = suggest(path, sizes.keys())
  if (near === null) return 'nothing'
  const looksEqual = near.normalize('NFKC') === path.normalize('NFKC')
  return `nothing (there is "${near}"${looksEqual ? ', another Unicode form' : ''})`
}

/** Splits "Expected {what} but received {value}" into its two halves. */
function splitSentence(sentence: string): { expected: string; received: string } {
  const match = /^Expected (.+) but received (.+)\.$/s.exec(sentence)
  return { expected: match?.[1] ?? 'a sound picture', received: match?.[2] ?? sentence }
}
