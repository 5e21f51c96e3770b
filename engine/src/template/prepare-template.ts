import { BAND_PX } from '../../kernels/assembly/stack/constants.ts'
import type { BlendMode } from '../blending/blend-modes.ts'
import type { ImageCodec } from '../codec.ts'
import { drawStackInSteps, splitIntoBands } from '../drawing/draw-operations.ts'
import { drawOverlay } from '../drawing/draw-overlay.ts'
import type { PreparedStack } from '../drawing/operation.ts'
import { type Rect, uniteRects } from '../geometry/rect.ts'
import type { RgbColor } from '../hex-color.ts'
import { buildToneTables } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import { PlainArithmetic } from '../stack/plain-arithmetic.ts'
import type { StackArithmetic } from '../stack/stack-arithmetic.ts'
import { runSteps } from '../steps.ts'
import {
  defaultColors,
  findOperations,
  measureOperations,
  prepareOperations,
  trimOperations,
} from './compile-operations.ts'
import { measureFrame, type PreparedFrame, prepareFrame } from './prepare-frame.ts'
import { type LayerFiles, type OutputSize, outputSizeOf } from './prepare-layer.ts'
import { GREATEST_WIDTH_PX, LEAST_WIDTH_PX } from './prepare-limits.ts'
import { type PreparedOverlay, prepareOverlay, trimOverlay } from './prepare-overlay.ts'
import { scaleRims } from './scale-rims.ts'
import type { Overlay, Template } from './template.ts'
import { findStackBands, findTouchedBands } from './touched-bands.ts'

/** What rendering at one output width needs and no artwork changes. Immutable. */
export type PreparedTemplate = {
  readonly widthPx: number
  readonly heightPx: number
  readonly blendMode: BlendMode
  readonly frames: readonly PreparedFrame[]
  /** the scene with its overlays and without artwork */
  readonly empty: OpaquePixmap
  /** the smallest rectangle that holds every pixel that any frame touches */
  readonly touched: Rect
  /** smaller rectangles that together hold every such pixel */
  readonly touchedBands: readonly Rect[]
  /**
   * `touched` of the scene without overlays; null where `empty` is used: no overlays, and `touched` not small
   */
  readonly sceneUnderFrames: OpaquePixmap | null
  /** trimmed to `touched` */
  readonly overlays: readonly PreparedOverlay[]
  /** draws in place of frames and overlays; trimmed to `touched` */
  readonly stack: PreparedStack | null
  /** memory that it holds, for bounded caches */
  readonly sizeBytes: number
}

/**
 * Up to this size `touched` is copied even without overlays: short rows that lie together save 7 % of
 * composing at 1,000 px. Larger copies save 3 % and cost megabytes for each template.
 */
const SMALL_SCENE_BYTES = 2.5 * 1024 * 1024

/** What draws stacks several times as fast as plain TypeScript, with the same bytes: a `FrameKernel`. */
export type StackDrawer = { readonly stack: StackArithmetic }

/**
 * Scales a template to an output width (whole, 1..4000; the height keeps the scene's ratio, at least 1) and
 * computes where every frame's pixels lie on its artwork. Rejects with the codec's or the reader's error.
 */
export async function prepareTemplate(
  template: Template,
  files: LayerFiles,
  widthPx: number,
  codec: ImageCodec,
  kernel: StackDrawer | null = null,
): Promise<PreparedTemplate> {
  if (!Number.isInteger(widthPx) || widthPx < LEAST_WIDTH_PX || widthPx > GREATEST_WIDTH_PX) {
    throw new RangeError(
      `Expected a whole width from ${LEAST_WIDTH_PX} to ${GREATEST_WIDTH_PX} px but received ${widthPx}.`,
    )
  }
  let stored: OpaquePixmap | null = await codec.decodeLayer(await files.read(template.scene), 'rgb')
  const output = outputSizeOf(stored, widthPx)
  const { heightPx } = output
  const scene = await scaleScene(stored, widthPx, heightPx, codec)
  const frames: PreparedFrame[] = []
  const tone = buildToneTables(template.tone)
  for (const frame of template.frames) frames.push(await prepareFrame(frame, tone, output, files, codec))
  if (scene !== stored) {
    for (const { light, plan, coverage } of frames) {
      if (light) scaleRims(scene, stored, light.tone, plan.region, coverage)
    }
  }
  // Not held while layers are read: it may be larger than all of them.
  stored = null
  const touched = uniteRects(frames.map(frame => frame.plan.region))
  const colors = defaultColors(template)
  const covered = await coverScene(scene, touched, frames, template, colors, output, files, codec, kernel)
  const sizeBytes =
    measureScene(covered) +
    frames.reduce((sum, frame) => sum + measureFrame(frame), 0) +
    covered.overlays.reduce((sum, overlay) => sum + overlay.data.byteLength, 0) +
    measureOperations(covered.stack?.operations ?? [])
  return {
    widthPx,
    heightPx,
    blendMode: template.blendMode,
    frames,
    touched,
    touchedBands: findTouchedBands(frames),
    ...covered,
    sizeBytes,
  }
}

type CoveredScene = Pick<PreparedTemplate, 'empty' | 'sceneUnderFrames' | 'overlays' | 'stack'>

/**
 * Draws what a template has over its scene, but for the frames: over `scene`, which it takes over. Keeps what
 * is under it where frames are. `colors`: of the areas that a stack draws.
 */
export async function coverScene(
  scene: OpaquePixmap,
  touched: Rect,
  frames: readonly PreparedFrame[],
  template: Template,
  colors: ReadonlyMap<string, RgbColor>,
  output: OutputSize,
  files: LayerFiles,
  codec: ImageCodec,
  kernel: StackDrawer | null,
): Promise<CoveredScene> {
  const operations = findOperations(template)
  if (operations === null) return coverByOverlays(scene, touched, template.overlays, output, files, codec)
  const prepared = await prepareOperations(operations, template, frames, colors, output, files, codec)
  const empty = { ...scene, data: new Uint8Array(scene.data) }
  const drawn = uniteRects(prepared.map(operation => operation.region))
  const whole = { operations: prepared, bands: splitIntoBands(drawn, BAND_PX) }
  const ground = { left: 0, top: 0, pixels: scene }
  runSteps(drawStackInSteps(empty, whole, [], ground, kernel ? kernel.stack : new PlainArithmetic()))
  const stack = { operations: trimOperations(prepared, touched), bands: findStackBands(frames) }
  return { empty, sceneUnderFrames: cutOut(scene, touched), overlays: [], stack }
}

async function coverByOverlays(
  scene: OpaquePixmap,
  touched: Rect,
  described: readonly Overlay[],
  output: OutputSize,
  files: LayerFiles,
  codec: ImageCodec,
): Promise<CoveredScene> {
  const hasOverlays = described.length > 0
  const isSmall = touched.widthPx * touched.heightPx * 3 <= SMALL_SCENE_BYTES
  const sceneUnderFrames = hasOverlays || isSmall ? cutOut(scene, touched) : null
  const empty = hasOverlays ? { ...scene, data: new Uint8Array(scene.data) } : scene
  const overlays: PreparedOverlay[] = []
  for (const overlay of described) {
    const whole = await prepareOverlay(overlay, output, files, codec)
    drawOverlay(empty, whole)
    overlays.push(trimOverlay(whole, touched))
  }
  return { empty, sceneUnderFrames, overlays, stack: null }
}

/** Memory that a scene holds, without its overlays. */
export function measureScene({ empty, sceneUnderFrames }: Omit<CoveredScene, 'stack'>): number {
  return empty.data.byteLength + (sceneUnderFrames?.data.byteLength ?? 0)
}

/**
 * The scene at the output's size. The codec shrinks it. It is enlarged here, because libvips shifts by half
 * an output pixel (0.50 px at 1.5x and 2x), and frames would no longer lie where the scene shows them.
 */
export async function scaleScene(
  stored: OpaquePixmap,
  widthPx: number,
  heightPx: number,
  codec: ImageCodec,
): Promise<OpaquePixmap> {
  if (widthPx === stored.widthPx && heightPx === stored.heightPx) return stored
  if (widthPx < stored.widthPx) return codec.resize(stored, widthPx, heightPx)
  const whole = { left: 0, top: 0, widthPx, heightPx }
  const placement = { left: 0, top: 0, width: widthPx, height: heightPx }
  const data = resampleLayer(stored, 3, placement, whole, 'catmull-rom', 'extend')
  return { alpha: 'opaque', widthPx, heightPx, data }
}

/** A copy of a part of a picture. */
function cutOut(picture: OpaquePixmap, { left, top, widthPx, heightPx }: Rect): OpaquePixmap {
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    const from = ((top + y) * picture.widthPx + left) * 3
    data.set(picture.data.subarray(from, from + widthPx * 3), y * widthPx * 3)
  }
  return { alpha: 'opaque', widthPx, heightPx, data }
}
