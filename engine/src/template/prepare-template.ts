import type { BlendMode } from '../blending/blend-modes.ts'
import { drawOverlay } from '../blending/draw-overlay.ts'
import type { ImageCodec } from '../codec.ts'
import { type Rect, uniteRects } from '../geometry/rect.ts'
import { buildToneTables } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import { measureFrame, type PreparedFrame, prepareFrame } from './prepare-frame.ts'
import type { LayerFiles } from './prepare-layer.ts'
import { GREATEST_WIDTH_PX, LEAST_WIDTH_PX } from './prepare-limits.ts'
import { type PreparedOverlay, prepareOverlay, trimOverlay } from './prepare-overlay.ts'
import { scaleRims } from './scale-rims.ts'
import type { Template } from './template.ts'
import { findTouchedBands } from './touched-bands.ts'

/** A template made ready for one output width: everything that does not depend on the artwork. Never changed by a render. */
export type PreparedTemplate = {
  readonly widthPx: number
  readonly heightPx: number
  readonly blendMode: BlendMode
  readonly frames: readonly PreparedFrame[]
  /** the scene with its overlays and without artwork: what every mockup shows outside its frames */
  readonly empty: OpaquePixmap
  /** the smallest rectangle that holds every pixel that any frame touches */
  readonly touched: Rect
  /** the same more closely: together these hold every such pixel */
  readonly touchedBands: readonly Rect[]
  /** the scene of that rectangle before the overlays; null where `empty` serves: without overlays, in a rectangle that is not small */
  readonly sceneUnderFrames: OpaquePixmap | null
  /** trimmed to `touched` */
  readonly overlays: readonly PreparedOverlay[]
  /** memory that it holds, for bounded caches */
  readonly sizeBytes: number
}

/**
 * A scene of no more bytes is cut out for its frames even where no overlay lies over it: its short rows are far apart in the whole, and each waits for memory
 * again. Measured: 7 % of composing at 1,000 px; greater ones gain 3 % and would cost a process megabytes for each template.
 */
const SMALL_SCENE_BYTES = 2.5 * 1024 * 1024

/**
 * Scales a template to an output width (whole, 1..4000; the height follows the scene's ratio, rounded, at least 1) and computes where every
 * frame's pixels lie on its artwork. Rejects with the codec's or the reader's error where a layer can't be read.
 */
export async function prepareTemplate(
  template: Template,
  files: LayerFiles,
  widthPx: number,
  codec: ImageCodec,
): Promise<PreparedTemplate> {
  if (!Number.isInteger(widthPx) || widthPx < LEAST_WIDTH_PX || widthPx > GREATEST_WIDTH_PX) {
    throw new RangeError(
      `Expected a whole width from ${LEAST_WIDTH_PX} to ${GREATEST_WIDTH_PX} px but received ${widthPx}.`,
    )
  }
  const stored = await codec.decodeLayer(await files.read(template.scene), 'rgb')
  const heightPx = Math.max(1, Math.round((stored.heightPx * widthPx) / stored.widthPx))
  const scene = await scaleScene(stored, widthPx, heightPx, codec)
  const output = {
    widthPx,
    heightPx,
    scaleX: widthPx / stored.widthPx,
    scaleY: heightPx / stored.heightPx,
  }
  const frames: PreparedFrame[] = []
  const tone = buildToneTables(template.tone)
  for (const frame of template.frames) frames.push(await prepareFrame(frame, tone, output, files, codec))
  if (scene !== stored) {
    for (const { light, plan, coverage } of frames) {
      if (light) scaleRims(scene, stored, light.tone, plan.region, coverage)
    }
  }
  const touched = uniteRects(frames.map(frame => frame.plan.region))
  const hasOverlays = template.overlays.length > 0
  const isSmall = touched.widthPx * touched.heightPx * 3 <= SMALL_SCENE_BYTES
  const sceneUnderFrames = hasOverlays || isSmall ? cutOut(scene, touched) : null
  const empty = hasOverlays ? { ...scene, data: new Uint8Array(scene.data) } : scene
  const overlays: PreparedOverlay[] = []
  for (const overlay of template.overlays) {
    const whole = await prepareOverlay(overlay, output, files, codec)
    drawOverlay(empty, whole)
    overlays.push(trimOverlay(whole, touched))
  }
  const sizeBytes =
    empty.data.byteLength +
    (sceneUnderFrames?.data.byteLength ?? 0) +
    frames.reduce((sum, frame) => sum + measureFrame(frame), 0) +
    overlays.reduce((sum, overlay) => sum + overlay.data.byteLength, 0)
  return {
    widthPx,
    heightPx,
    blendMode: template.blendMode,
    frames,
    empty,
    touched,
    touchedBands: findTouchedBands(frames),
    sceneUnderFrames,
    overlays,
    sizeBytes,
  }
}

/**
 * The scene at the output's size. The codec shrinks it; it is enlarged here, because libvips enlarges half an output pixel to the
 * side (measured: 0.50 px at 1.5x and 2x), which would part the scene from what is drawn on it.
 */
async function scaleScene(
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
