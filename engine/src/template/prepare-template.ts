import type { ImageCodec } from '../codec.ts'
import type { Drawer } from '../drawing/drawer.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { GREATEST_WIDTH_PX, LEAST_WIDTH_PX } from '../drawing/width-limits.ts'
import type { Rect } from '../geometry/rect.ts'
import { buildToneTables } from '../lighting/light-tables.ts'
import type { Drawing } from '../operations/operation.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { enlargePicture } from '../sampling/enlarge-picture.ts'
import { compileDrawing, measureScene } from './compile-drawing.ts'
import { defaultColors, measureOperations } from './compile-operations.ts'
import { measureFrame, prepareFrame } from './prepare-frame.ts'
import { type LayerFiles, outputSizeOf } from './prepare-layer.ts'
import { scaleRims } from './scale-rims.ts'
import type { Template } from './template.ts'
import { findTouchedBands } from './touched-bands.ts'

/** What rendering at one output width needs, independent of artwork. Immutable. */
export type PreparedTemplate = {
  readonly widthPx: number
  readonly heightPx: number
  /** the size of finished mockups if the template is drawn at a smaller one */
  readonly enlargedTo: { readonly widthPx: number; readonly heightPx: number } | null
  readonly frames: readonly PreparedFrame[]
  /** the picture without artwork */
  readonly empty: OpaquePixmap
  /** smaller rectangles that together contain every pixel that any frame touches */
  readonly touchedBands: readonly Rect[]
  readonly drawing: Drawing
  /** memory that it holds, for bounded caches */
  readonly sizeBytes: number
}

/**
 * Scales a template to an output width (an integer, 1..4000; the height keeps the scene's ratio, at least 1),
 * or to the greatest width at which it is drawn, and computes where each pixel of a frame lies in its
 * artwork. Rejects with the codec's or the reader's error.
 */
export async function prepareTemplate(
  template: Template,
  files: LayerFiles,
  askedWidthPx: number,
  codec: ImageCodec,
  drawer: Drawer | null = null,
): Promise<PreparedTemplate> {
  if (!Number.isInteger(askedWidthPx) || askedWidthPx < LEAST_WIDTH_PX || askedWidthPx > GREATEST_WIDTH_PX) {
    throw new RangeError(
      `Expected a whole width from ${LEAST_WIDTH_PX} to ${GREATEST_WIDTH_PX} px but received ${askedWidthPx}.`,
    )
  }
  let stored: OpaquePixmap | null = await codec.decodeLayer(await files.read(template.scene), 'rgb')
  const widthPx = drawnWidthOf(template, askedWidthPx)
  const output = outputSizeOf(stored, widthPx)
  const asked = outputSizeOf(stored, askedWidthPx)
  const enlargedTo = widthPx < askedWidthPx ? { widthPx: asked.widthPx, heightPx: asked.heightPx } : null
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
  // Released before layers are read: it may be larger than all of them.
  stored = null
  const colors = defaultColors(template)
  const compiled = await compileDrawing(scene, frames, template, colors, output, files, codec, drawer)
  const sizeBytes =
    measureScene(compiled) +
    frames.reduce((sum, frame) => sum + measureFrame(frame), 0) +
    measureOperations(compiled.drawing.operations)
  return { widthPx, heightPx, enlargedTo, frames, touchedBands: findTouchedBands(frames), ...compiled, sizeBytes }
}

/** The width at which a template is drawn for mockups of a given width. */
export function drawnWidthOf({ maxWidth }: Pick<Template, 'maxWidth'>, widthPx: number): number {
  return Math.min(widthPx, Math.round(maxWidth ?? widthPx))
}

/**
 * Scales the scene to the output's size. The codec shrinks it. Enlarging is done here because libvips shifts
 * by half an output pixel (0.50 px at 1.5x and 2x), which would move the scene relative to its frames.
 */
export async function scaleScene(
  stored: OpaquePixmap,
  widthPx: number,
  heightPx: number,
  codec: ImageCodec,
): Promise<OpaquePixmap> {
  if (widthPx === stored.widthPx && heightPx === stored.heightPx) return stored
  if (widthPx < stored.widthPx) return codec.resize(stored, widthPx, heightPx)
  return enlargePicture(stored, widthPx, heightPx)
}
