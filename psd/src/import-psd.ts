import {
  areaOf,
  type Deflate,
  type FrameKernel,
  type ImageCodec,
  MAX_SCENE_RATIO,
  type OpaquePixmap,
  type Rect,
  type RewritableStore,
  type StraightPixmap,
  slugOf,
} from '@vitrine/engine'
import type { Layer, LinkedFile } from 'ag-psd'
import { buildReport, type Contents } from './build-report.ts'
import type { TemplateDetails } from './bundle/write-bundle.ts'
import { type Converted, writeFitting } from './bundle/write-fitting.ts'
import { type Drawing, drawingOf } from './compositing/compose-layers.ts'
import type { FloatPicture } from './compositing/float-picture.ts'
import { averagePicture, type Reduction, reductionTo } from './converting/area-average.ts'
import { type ColorChoice, chooseColors } from './converting/choose-colors.ts'
import {
  type ChosenFrame,
  chooseFrames,
  type FrameCandidate,
  findCandidates,
  missingMapsOf,
} from './converting/choose-frames.ts'
import { type Conversion, convertDocument, type Matte } from './converting/convert.ts'
import { foldOperations } from './converting/fold.ts'
import { operationsInSrgb, pictureInSrgb } from './converting/in-srgb.ts'
import { depthOfLists, type FrameOperation, framesOf, walkOperations } from './converting/operation.ts'
import { placeOf } from './converting/place-of.ts'
import { COLOR_BIT, findReach, hasColors, type Reach } from './converting/reach.ts'
import { reduceOperations } from './converting/reduce-operations.ts'
import { readWhole } from './converting/whole-picture.ts'
import { type DisplacementMaps, readDisplacementMap } from './geometry/displacement.ts'
import type { ImportReport, SmartObjectPlace } from './import-report.ts'
import { MAX_GROUP_DEPTH, MAX_OPERATIONS, MAX_SCENE_PIXELS, MAX_SCENE_SIDE_PX } from './limits.ts'
import { ImportNotes } from './notes.ts'
import type { FileBytes } from './reading/file-bytes.ts'
import { openDocument, type PsdDocument } from './reading/open-document.ts'
import { PsdRefusedError } from './refused-error.ts'
import { compareReach, type Difference, enlargeDifference } from './verifying/compare.ts'
import { prepareCheck } from './verifying/draw-check.ts'
import { canFindLeftOvers, contrast, findLeftOvers, type LeftOvers } from './verifying/find-left-overs.ts'
import { type FrameContent, readContent } from './verifying/read-content.ts'

export type ImportOptions = {
  /** the template's name; its id is derived from it */
  readonly name: string
  /** names of smart objects that become frames; if empty, they are found by their names */
  readonly frames: readonly string[]
  /** layers of one colour that become colours of the template */
  readonly colors?: readonly ColorChoice[]
  /** what lies under a transparent document, bytes */
  readonly matte: readonly [number, number, number]
  /** width of the scene, at most that of the file's canvas; if missing, the canvas's */
  readonly widthPx?: number
  /** the maps of Displace filters, by the names that the filters use */
  readonly maps?: readonly { readonly name: string; readonly bytes: FileBytes }[]
  /** refuses a file that needs missing maps; otherwise it is imported without them if possible */
  readonly asksForMaps?: boolean
}

/** What the caller provides for an import. */
export type ImportTools = {
  readonly codec: ImageCodec
  readonly kernel: FrameKernel | null
  readonly store: RewritableStore
  /** compresses the layers' pictures; the default, in JavaScript, takes five times as long as Node's zlib */
  readonly deflate?: Deflate
  /** called as the import progresses */
  readonly onStep?: (step: ImportStep) => void
  /** called before a file is refused because its frames have to be chosen */
  readonly onChoice?: (choice: FrameChoice) => void
}

/** Where the smart objects lie in the picture that Photoshop saved. */
export type FrameChoice = { readonly places: readonly SmartObjectPlace[]; readonly picture: OpaquePixmap }

const REPORT_FILE = 'import.json'

export type ImportStep = 'reading' | 'drawing' | 'checking'

export type ImportResult = {
  /** names of the bundle's files in the store */
  readonly files: readonly string[]
  readonly report: ImportReport
  /** names of displacement maps that are missing, so that frames are flat; as the file has them */
  readonly missingMaps: readonly string[]
  /** pictures of the comparison, RGB; null if there is nothing to compare with */
  readonly comparison: {
    readonly ours: OpaquePixmap
    readonly theirs: OpaquePixmap
    readonly difference: OpaquePixmap
    /** the number of pixels compared, by frame of the report */
    readonly framePixels: readonly number[]
    /** where the old design stays under a contrasting one; missing: the document is too large for that */
    readonly leftOvers?: LeftOvers | null
  } | null
}

/**
 * Makes a template bundle from a PSD or PSB, which may be in memory or read on demand.
 * @throws PsdRefusedError with what to do
 */
export async function importPsd(
  file: Uint8Array | FileBytes,
  options: ImportOptions,
  tools: ImportTools,
): Promise<ImportResult> {
  tools.onStep?.('reading')
  const document = openDocument(file)
  const canvas: Rect = { left: 0, top: 0, widthPx: document.widthPx, heightPx: document.heightPx }
  const asked = findReduction(canvas, options.widthPx)
  checkScene(asked?.reduced ?? canvas, canvas)
  checkArtboards(document)
  const candidates = findCandidates(document, readMaps(document, options.maps ?? []))
  if (options.asksForMaps) checkMaps(missingMapsOf(candidates))
  const notes = new ImportNotes()
  const drawing = drawingOf(document, notes)
  const matte: Matte = [options.matte[0] / 255, options.matte[1] / 255, options.matte[2] / 255]
  const chosen = chooseOrOffer(candidates, options.frames, drawing, () => readWhole(drawing, asked, matte), tools)
  const colors = chooseColors(document, options.colors ?? [])
  tools.onStep?.('drawing')
  const whole = convertDocument(document, chosen, colors, drawing, matte)
  const convert = (reduction: Reduction | null): Converted => {
    const conversion = foldConversion(whole, document, reduction, notes)
    checkOperations(conversion)
    const reach = findReach(conversion.operations, conversion.frames, reduction?.reduced ?? canvas)
    return { conversion, reach, reduction, readPhotoshop: () => readWhole(drawing, reduction, matte) }
  }
  const { converted, names } = await writeFitting(convert, asked, canvas, detailsOf(options.name), notes, tools)
  const { conversion, reach, reduction, readPhotoshop } = converted
  tools.onStep?.('checking')
  const contents = await readContents(conversion.frames, tools.codec)
  const check = document.isMergedReal
    ? await verify(
        readPhotoshop,
        reduction?.reduced ?? canvas,
        drawing,
        matte,
        conversion,
        chosen,
        reach,
        contents,
        tools,
      )
    : null
  const report = buildReport({
    document,
    reduction,
    candidates,
    chosen,
    colors,
    conversion,
    contents,
    notes,
    differences: check?.differences ?? null,
    leftOvers: check?.comparison.leftOvers ?? null,
  })
  const json = new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`)
  await tools.store.write(REPORT_FILE, json)
  const missingMaps = missingMapsOf(chosen)
  return { files: [...names, REPORT_FILE], report, missingMaps, comparison: check?.comparison ?? null }
}

/** The maps that filters of a document name. @throws PsdRefusedError */
function readMaps(document: PsdDocument, maps: NonNullable<ImportOptions['maps']>): DisplacementMaps {
  if (maps.length === 0) return new Map()
  const needed = new Set(missingMapsOf(findCandidates(document)).map(name => name.toLowerCase()))
  const named = maps.filter(({ name }) => needed.has(name.toLowerCase()))
  return new Map(named.map(({ name, bytes }) => [name.toLowerCase(), readDisplacementMap(name, bytes)]))
}

/** @throws PsdRefusedError, after `onChoice`, if frames have to be chosen and a picture shows them */
function chooseOrOffer(
  candidates: readonly FrameCandidate[],
  names: readonly string[],
  { document }: Drawing,
  readPicture: () => OpaquePixmap,
  { onChoice }: ImportTools,
): readonly ChosenFrame[] {
  try {
    return chooseFrames(document, candidates, names)
  } catch (error) {
    const isChoice = error instanceof PsdRefusedError && error.choices.length > 0
    if (isChoice && document.isMergedReal)
      onChoice?.({ places: candidates.map(each => placeOf(each, document)), picture: readPicture() })
    throw error
  }
}

/** In the scene's colours and size. Folding creates new operations, so the frames are looked up again. */
function foldConversion(
  whole: Conversion,
  { profile }: PsdDocument,
  reduction: Reduction | null,
  notes: ImportNotes,
): Conversion {
  const { conversion, name } = profile
  const { operations: unfolded, drawScene } = whole
  const operations = foldOperations(unfolded, list => {
    const inSrgb = conversion ? operationsInSrgb(list, conversion) : list
    return reduction ? reduceOperations(inSrgb, reduction) : inSrgb
  })
  const frames = framesOf(operations)
  if (conversion) {
    notes.add(
      'approximated',
      '',
      `its colours are converted from ${name} to sRGB, in which layers blend a little differently where artwork shows`,
    )
  }
  const draw = (rect: Rect): FloatPicture => (conversion ? pictureInSrgb(drawScene(rect), conversion) : drawScene(rect))
  return {
    ...whole,
    operations,
    frames,
    drawScene: reduction ? rect => averagePicture(draw, rect, reduction) : draw,
  }
}

/** @throws PsdRefusedError with the names of missing maps */
function checkMaps(missing: readonly string[]): void {
  if (missing.length === 0) return
  throw new PsdRefusedError(`This file is moved by others: "${missing.join('", "')}".`, [], missing)
}

/** Null if the scene is as large as the canvas. @throws PsdRefusedError for a width beyond that */
function findReduction(canvas: Rect, widthPx: number | undefined): Reduction | null {
  if (widthPx === undefined || widthPx === canvas.widthPx) return null
  if (widthPx > canvas.widthPx) {
    throw new PsdRefusedError(
      `The file is ${canvas.widthPx} pixels wide, and a template of it ${widthPx} pixels wide would be blurred. Ask for a smaller width.`,
    )
  }
  return reductionTo(canvas, widthPx)
}

function checkScene({ widthPx, heightPx }: Rect, canvas: Rect): void {
  if (Math.max(widthPx, heightPx) <= MAX_SCENE_SIDE_PX && widthPx * heightPx <= MAX_SCENE_PIXELS) {
    checkRatio(canvas)
    return
  }
  const scale = Math.min(
    MAX_SCENE_SIDE_PX / Math.max(canvas.widthPx, canvas.heightPx),
    Math.sqrt(MAX_SCENE_PIXELS / areaOf(canvas)),
  )
  throw new PsdRefusedError(
    `A canvas of ${widthPx} x ${heightPx} pixels is larger than a scene (${MAX_SCENE_SIDE_PX} a side, ${MAX_SCENE_PIXELS / 1e6} megapixels). Choose Image > Image Size and save again, or import it by the command "vitrine template import" with --width ${Math.floor(canvas.widthPx * scale * 0.999)}.`,
  )
}

function checkRatio(canvas: Rect): void {
  const ratio = canvas.widthPx / canvas.heightPx
  if (ratio > MAX_SCENE_RATIO || ratio < 1 / MAX_SCENE_RATIO) {
    throw new PsdRefusedError(
      `A canvas of ${canvas.widthPx} x ${canvas.heightPx} pixels is too long for a scene, which lies between 1:4 and 4:1. Choose Image > Canvas Size and save again.`,
    )
  }
}

function checkArtboards({ layers }: PsdDocument): void {
  const count = layers.filter(({ artboard }) => artboard).length
  if (count <= 1) return
  throw new PsdRefusedError(`This file has ${count} artboards. Export one artboard to a file of its own.`)
}

function checkOperations({ operations }: Conversion): void {
  const depth = depthOfLists(operations)
  if (depth > MAX_GROUP_DEPTH) {
    throw new PsdRefusedError(
      `Groups around the design are nested ${depth} deep, and a template has up to ${MAX_GROUP_DEPTH}. Take the design out of some of them, or set them to Pass Through without mask and opacity, and save again.`,
    )
  }
  const count = [...walkOperations(operations)].length
  if (count <= MAX_OPERATIONS) return
  throw new PsdRefusedError(
    `Over the design lie ${count} layers that cannot be joined, and a template has up to ${MAX_OPERATIONS}. Merge some of them and save again.`,
  )
}

/** An id is 2 to 64 characters. */
function detailsOf(name: string): TemplateDetails {
  const slug = slugOf(name, { maxLength: 32, letterFirst: true })
  return {
    id: slug.length >= 2 ? slug : `psd-${slug || 'import'}`,
    name: name.slice(0, 200) || 'Imported',
    category: 'Imported',
  }
}

/** The embedded picture of each frame; frames of one file share it. */
async function readContents(frames: readonly FrameOperation[], codec: ImageCodec): Promise<Contents> {
  const known = new Map<LinkedFile | undefined, FrameContent>()
  const contents = new Map<Layer, FrameContent>()
  for (const { layer, document } of frames) {
    const file = document.linkedFiles.find(({ id }) => id === layer.placedLayer?.id)
    const content = known.get(file) ?? (await readContent(file, codec, document.profile.kind !== 'none'))
    known.set(file, content)
    contents.set(layer, content)
  }
  return contents
}

async function verify(
  readPhotoshop: () => OpaquePixmap,
  { widthPx }: Rect,
  drawing: Drawing,
  matte: Matte,
  { frames, operations }: Conversion,
  chosen: readonly FrameCandidate[],
  reach: Reach,
  contents: Contents,
  { codec, kernel, store }: ImportTools,
): Promise<{ differences: readonly Difference[]; comparison: NonNullable<ImportResult['comparison']> }> {
  const pictureOf = (layer: Layer): StraightPixmap | null => {
    const content = contents.get(layer)
    return content?.kind === 'picture' ? content.picture : null
  }
  const { canvas } = drawing
  const placements = frames.map(({ geometry }) => geometry.placement)
  const draw = await prepareCheck(store, placements, widthPx, canvas.widthPx, codec, kernel)
  const pictures = frames.map(({ layer }) => pictureOf(layer))
  const ours = draw(pictures)
  const theirs = await codec.resize(readPhotoshop(), ours.widthPx, ours.heightPx)
  const scaled = scaleReach(reach, ours.widthPx / widthPx, ours)
  const differences = compareReach(
    cut(ours, scaled.rect),
    cut(theirs, scaled.rect),
    scaled,
    hasColors(operations) ? COLOR_BIT + 1 : frames.length,
  )
  const difference: OpaquePixmap = { ...ours, data: enlargeDifference(ours, theirs) }
  const framePixels = differences.slice(0, frames.length).map(({ pixels }) => pixels)
  const isWhole = ours.widthPx === canvas.widthPx && canFindLeftOvers(drawing)
  const known = chosen.filter(({ layer }) => pictureOf(layer))
  const comparison = { ours, theirs, difference, framePixels }
  if (!isWhole) return { differences, comparison }
  const contrasting = draw(pictures.map(picture => picture && contrast(picture)))
  const leftOvers = findLeftOvers(drawing, known, matte, ours, contrasting)
  return { differences, comparison: { ...comparison, leftOvers } }
}

/** The reach in a picture that is smaller than the document. */
function scaleReach(reach: Reach, scale: number, picture: OpaquePixmap): Reach {
  if (scale === 1) return reach
  const left = Math.floor(reach.rect.left * scale)
  const top = Math.floor(reach.rect.top * scale)
  const widthPx = Math.min(picture.widthPx - left, Math.ceil(reach.rect.widthPx * scale))
  const heightPx = Math.min(picture.heightPx - top, Math.ceil(reach.rect.heightPx * scale))
  const bits = new Uint32Array(widthPx * heightPx)
  for (let y = 0, k = 0; y < heightPx; y++) {
    const fromY = Math.min(reach.rect.heightPx - 1, Math.max(0, Math.floor((top + y + 0.5) / scale) - reach.rect.top))
    for (let x = 0; x < widthPx; x++, k++) {
      const fromX = Math.min(
        reach.rect.widthPx - 1,
        Math.max(0, Math.floor((left + x + 0.5) / scale) - reach.rect.left),
      )
      bits[k] = reach.bits[fromY * reach.rect.widthPx + fromX] ?? 0
    }
  }
  return { rect: { left, top, widthPx, heightPx }, bits }
}

/** A part of a picture. */
function cut({ widthPx, data }: OpaquePixmap, rect: Rect): OpaquePixmap {
  const out = new Uint8Array(rect.widthPx * rect.heightPx * 3)
  for (let y = 0; y < rect.heightPx; y++) {
    const from = ((rect.top + y) * widthPx + rect.left) * 3
    out.set(data.subarray(from, from + rect.widthPx * 3), y * rect.widthPx * 3)
  }
  return { alpha: 'opaque', widthPx: rect.widthPx, heightPx: rect.heightPx, data: out }
}
