import type { ImageCodec } from '../codec.ts'
import { dyeRatio, type PreparedColorArea } from '../coloring/color-area.ts'
import { drawColorArea } from '../coloring/draw-color-area.ts'
import { findDarkness, mixLight } from '../coloring/mix-light.ts'
import { GROUND_REACH_PX } from '../coloring/rim-ground.ts'
import type { Drawer } from '../drawing/drawer.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { growRect, type Rect } from '../geometry/rect.ts'
import { linearOf, type RgbColor, readHexColor } from '../hex-color.ts'
import type { Light, LightLayers } from '../lighting/light-chunk.ts'
import { buildToneTables, type ToneTables } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { compileDrawing, measureScene } from './compile-drawing.ts'
import { defaultColors, recolorOperations } from './compile-operations.ts'
import { lightTerms } from './light-terms.ts'
import {
  createLayerReader,
  findReach,
  type LayerFiles,
  type OutputSize,
  outputSizeOf,
  type ReadLayer,
  resampleMask,
} from './prepare-layer.ts'
import { measureLight, readLight } from './prepare-light.ts'
import { type PreparedTemplate, scaleScene } from './prepare-template.ts'
import { scaleRims } from './scale-rims.ts'
import type { ColorArea, Frame, LayerReference, Lighting, Template } from './template.ts'

/** Of transparent parts of a dyed frame, linear: with a very dark default, the light has no upper bound. */
const GREATEST_SURFACE_LIGHT = 2

/** Colours (#rrggbb) by the names of areas. Unknown areas are ignored. */
export type ChosenColors = ReadonlyMap<string, string>

type Change = { readonly area: ColorArea; readonly from: RgbColor; readonly to: RgbColor }

/** The areas whose chosen colour differs from their default, in drawing order. */
export function findColorChanges(areas: readonly ColorArea[], colors: ChosenColors): readonly Change[] {
  return areas.flatMap(area => {
    const chosen = colors.get(area.name)?.toLowerCase() ?? area.default
    return chosen === area.default ? [] : [{ area, from: readHexColor(area.default), to: readHexColor(chosen) }]
  })
}

/**
 * A prepared template in other colours: with its own scene, and the geometry of `base`. The defaults give
 * `base` itself. Rejects with the codec's or the reader's error.
 */
export async function recolorTemplate(
  base: PreparedTemplate,
  template: Template,
  files: LayerFiles,
  colors: ChosenColors,
  codec: ImageCodec,
  drawer: Drawer | null = null,
): Promise<PreparedTemplate> {
  const changes = findColorChanges(template.colors, colors)
  if (changes.length === 0) return base
  const stored = await codec.decodeLayer(await files.read(template.scene), 'rgb')
  const output = outputSizeOf(stored, base.widthPx)
  const scene = await scaleScene(stored, base.widthPx, base.heightPx, codec)
  const tone = buildToneTables(template.tone)
  const read = createLayerReader(output, files, codec)
  const areas: PreparedColorArea[] = []
  for (const change of changes) {
    if (change.area.mask !== null)
      areas.push(await prepareArea(change, change.area.mask, tone, base.frames, template.frames, output, read))
  }
  if (scene.widthPx !== stored.widthPx) {
    for (const { light, plan, coverage } of base.frames)
      if (light) scaleRims(scene, stored, tone, plan.region, coverage)
  }
  const drawn: OpaquePixmap = { ...scene, data: new Uint8Array(scene.data) }
  for (const area of areas) drawColorArea(drawn, area)
  const frames: PreparedFrame[] = []
  let lightBytes = 0
  for (const [index, frame] of base.frames.entries()) {
    const dyed = await dyeSurface(frame, template.frames[index], changes, read)
    if (dyed.light && dyed.light.shade !== frame.light?.shade) lightBytes += measureLight(dyed.light)
    frames.push(dyed)
  }
  const chosen = defaultColors(template)
  for (const { area, to } of changes) chosen.set(area.name, to)
  const compiled = await compileDrawing(drawn, frames, template, chosen, output, files, codec, drawer)
  // Everything except the scene, the colours and the light on dark colours is shared with the base.
  const operations = recolorOperations(base.drawing.operations.slice(1), chosen)
  const drawing = { ...base.drawing, operations: [...compiled.drawing.operations.slice(0, 1), ...operations] }
  return { ...base, empty: compiled.empty, drawing, frames, sizeBytes: measureScene(compiled) + lightBytes }
}

async function prepareArea(
  change: Change,
  drawnMask: LayerReference,
  tone: ToneTables,
  frames: readonly PreparedFrame[],
  described: readonly Frame[],
  output: OutputSize,
  read: ReadLayer,
): Promise<PreparedColorArea> {
  const { area, from, to } = change
  const mask = await read(drawnMask, 'coverage')
  const reach = findReach(mask.layer, mask.placement, output)
  const region = area.lighting ? growRect(reach, GROUND_REACH_PX, output) : reach
  const light = area.lighting && (await readLight(area.lighting, region, read))
  return {
    region,
    coverage: resampleMask(mask, region),
    framed: coverOfFrames(frames, described, region),
    light: light && { from: light, to: await darken(light, area.dark?.lighting ?? null, change, region, read) },
    tone,
    blendMode: area.blendMode,
    from,
    to,
  }
}

/** The light on the chosen colour, from the light on the default and on the area's dark colour. */
async function darken(
  light: LightLayers,
  dark: Lighting | null,
  { area, from, to }: Change,
  region: Rect,
  read: ReadLayer,
): Promise<LightLayers> {
  if (dark === null || area.dark === null) return light
  return mixLight(light, await readLight(dark, region, read), findDarkness(from, area.dark.color, to), lightTerms)
}

/** The combined coverage of lit frames over a region, 0..255. */
function coverOfFrames(frames: readonly PreparedFrame[], described: readonly Frame[], region: Rect): Uint8Array {
  const sum = new Uint8Array(region.widthPx * region.heightPx)
  for (const [index, { light, plan, coverage }] of frames.entries()) {
    if (!light) continue
    const { opacity = 1, fill = 1 } = described[index] ?? {}
    const { left, top, widthPx, heightPx } = plan.region
    for (let y = 0, i = 0; y < heightPx; y++) {
      const row = top + y - region.top
      for (let x = 0; x < widthPx; x++, i++) {
        const column = left + x - region.left
        if (row < 0 || column < 0 || row >= region.heightPx || column >= region.widthPx) continue
        const at = row * region.widthPx + column
        sum[at] = Math.min(255, (sum[at] ?? 0) + Math.round((coverage[i] ?? 0) * opacity * fill))
      }
    }
  }
  return sum
}

/** Linear light of what transparent parts of a frame show once its area has another colour. */
export function dyedSurface(surface: RgbColor, from: RgbColor, to: RgbColor): Light['surface'] {
  const [red, green, blue] = linearOf(surface)
  const ratios = dyeRatio(from, to)
  const dyed = (light: number, ratio: number): number => Math.min(GREATEST_SURFACE_LIGHT, light * ratio)
  return [dyed(red, ratios[0]), dyed(green, ratios[1]), dyed(blue, ratios[2])]
}

/** A lit frame whose transparent parts show the colour of its area, in the light on that colour. */
async function dyeSurface(
  frame: PreparedFrame,
  described: Frame | undefined,
  changes: readonly Change[],
  read: ReadLayer,
): Promise<PreparedFrame> {
  const change = changes.find(({ area }) => area.name === described?.surface)
  if (!frame.light || !described || !change) return frame
  const surface = dyedSurface(described.surfaceColor, change.from, change.to)
  const light = await darken(frame.light, described.darkLighting, change, frame.plan.region, read)
  return { ...frame, light: { ...frame.light, ...light, surface } }
}
