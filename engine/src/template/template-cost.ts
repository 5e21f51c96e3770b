import { blendModes } from '../blending/blend-modes.ts'
import { GREATEST_WIDTH_PX } from '../drawing/width-limits.ts'
import { scaleQuad } from '../geometry/quad.ts'
import { areaOf, growRect, intersectRects, type Rect, uniteRects } from '../geometry/rect.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import { MAX_TEMPLATE_MEMORY_BYTES, MAX_TEMPLATE_TIME_MS } from './bundle-limits.ts'
import { listOperations, MOST_UNTRIMMED } from './compile-operations.ts'
import { type Effect, picturesOf, reachOfEffects } from './effect-fields.ts'
import type { FaultCollector } from './fault-collector.ts'
import { hasFilters, reachOfFilters } from './filter-fields.ts'
import { lightTermNames, lightTerms } from './light-terms.ts'
import type { LayerUse } from './parse-log.ts'
import { boundQuad } from './prepare-frame.ts'
import { type OutputSize, outputSizeOf, placeLayer, reachOf } from './prepare-layer.ts'
import { drawnWidthOf } from './prepare-template.ts'
import { layersOf, type Operation } from './stack-fields.ts'
import type { ColorArea, Frame, LayerReference, Lighting, Overlay, Template } from './template.ts'

// Rates measured by engine/bench/template-cost.ts, rounded up: docs/decisions/template-cost.md.

/** Milliseconds of a core per megapixel of a stored picture: decoding, and reducing it. */
const storedMs = { scene: 20, mask: 30, uvmap: 80, light: 25, overlay: 25, affine: 60, tables: 80, cube: 80 } as const

/** Bytes per pixel of a stored picture while it is decoded and filtered. */
const storedBytes = { scene: 6, mask: 4, uvmap: 8, light: 6, overlay: 8, affine: 12, tables: 12, cube: 12 } as const

/** Milliseconds of a core per megapixel of the output. */
const drawnMs = {
  scene: 17,
  /** enlarging a finished mockup */
  enlarged: 60,
  corners: 28,
  uvmap: 130,
  mask: 12,
  overlay: 50,
  /** a colour area, without its light */
  color: 40,
  /** added if an overlay's blend mode is not separable */
  mixing: 60,
  /** added if an adjustment is a cube */
  cube: 10,
  /** added for colour ranges */
  ranges: 25,
  /** a frame of a stack, which is sampled before it is drawn */
  sampled: 30,
  /** added if it is lit */
  litSampled: 90,
} as const

/** The same for operations of a stack: scaled, drawn once over the scene and then into mockups. */
const operationMs: Readonly<Record<Exclude<Operation['kind'], 'frame'>, number>> = {
  picture: 75,
  affine: 95,
  adjust: 30,
  color: 30,
  group: 30,
  mix: 30,
}

/** The same for effects of frames: for the artwork's shape, and for each effect. */
const effectMs: Readonly<Record<Effect['kind'] | 'shape' | 'blur' | 'motion' | 'sharpen', number>> = {
  shape: 30,
  shadow: 110,
  'inner-shadow': 110,
  overlay: 15,
  stroke: 110,
  /** of four channels */
  blur: 260,
  motion: 460,
  sharpen: 400,
}

/** Bytes per pixel that effects change, while their masks are computed. */
const EFFECT_BYTES = 32

/** Bytes per output pixel of pictures, and of prepared frames and overlays. */
const heldBytes = { picture: 3, corners: 2, uvmap: 16, light: 3, overlay: 4, sampled: 4, affine: 12, mask: 1 } as const

/** The parts of a template's cost. */
const partNames = ['scene', 'frames', 'colors', 'overlays', 'stack'] as const

/**
 * What rendering a template takes of one process, at the greatest width at which it is drawn and with all its
 * areas in other colours; without artwork and encoding.
 */
export type TemplateCost = {
  /** of one core */
  readonly timeMs: number
  readonly memoryBytes: number
  /** the width of the estimate: the greatest at which the template is drawn */
  readonly widthPx: number
  readonly parts: { readonly [Name in (typeof partNames)[number]]: TemplatePart }
}

/** Output megapixels that a part draws, counting each layer, and milliseconds of a core. */
type TemplatePart = { readonly megapixels: number; readonly timeMs: number }

/** The size of a stored picture, and the rectangle of its visible pixels; null counts as none. */
export type StoredLayer = { readonly widthPx: number; readonly heightPx: number; readonly shown: Rect | null }

/** Finds a stored picture of the template. */
export type FindLayer = (use: LayerUse, path: string) => StoredLayer

type LayerCost = {
  readonly pixels: number
  readonly timeMs: number
  /** until the mockup is done */
  readonly heldBytes: number
  /** while this part is prepared */
  readonly passingBytes: number
}

/** The cost of a template from its description and the sizes of its pictures. */
export function estimateTemplateCost(template: Template, findLayer: FindLayer): TemplateCost {
  const scene = findLayer('scene', template.scene)
  const output = outputSizeOf(scene, drawnWidthOf(template, GREATEST_WIDTH_PX))
  const outputPixels = areaOf(output)
  const greatest = outputSizeOf(scene, GREATEST_WIDTH_PX)
  const enlargedPixels = greatest.widthPx > output.widthPx ? areaOf(greatest) : 0
  const frames = template.frames.map(frame => costFrame(frame, output, findLayer))
  const overlays = template.overlays.map(overlay => costOverlay(overlay, output, findLayer))
  const colors = template.colors.map(area => costColorArea(area, output, findLayer))
  const stack = costStack(template, output, findLayer)
  const layers = [...frames, ...colors, ...overlays, ...stack]
  const sceneMs = (storedMs.scene * areaOf(scene) + drawnMs.scene * outputPixels) / 1e6
  const enlargingMs = (drawnMs.enlarged * enlargedPixels) / 1e6
  const overlayPart = sumPart(overlays)
  const colorPart = sumPart(colors)
  // Another colour needs the scene again, and the overlays over it.
  const stackPart = sumPart(stack)
  const againMs = colors.length > 0 ? sceneMs + overlayPart.timeMs + stackPart.timeMs : 0
  const parts = {
    scene: {
      megapixels: outputPixels / 1e6,
      timeMs: sceneMs + enlargingMs,
    },
    frames: sumPart(frames),
    colors: { ...colorPart, timeMs: colorPart.timeMs + againMs },
    overlays: overlayPart,
    stack: stackPart,
  }
  // Scenes at the output's size: the default and one in other colours; with overlays, both without them.
  const sceneCount = (colors.length > 0 ? 2 : 1) * (overlays.length + stack.length > 0 ? 2 : 1)
  // The stored scene, those scenes, and the mockup.
  const pictures = areaOf(scene) + outputPixels * (sceneCount + 1) + enlargedPixels
  return {
    timeMs: partNames.reduce((sum, name) => sum + parts[name].timeMs, 0),
    memoryBytes:
      heldBytes.picture * pictures +
      layers.reduce((sum, layer) => sum + layer.heldBytes, 0) +
      Math.max(...layers.map(layer => layer.passingBytes)),
    widthPx: output.widthPx,
    parts,
  }
}

function costFrame(frame: Frame, output: OutputSize, findLayer: FindLayer): LayerCost {
  const { placement, mask, lighting, darkLighting } = frame
  const layers: { use: keyof typeof storedMs; stored: StoredLayer }[] = []
  const place = (use: 'mask' | 'uvmap' | 'light', reference: LayerReference): number => {
    const stored = findLayer(use, reference.image)
    layers.push({ use, stored })
    return reachArea(stored, reference, output)
  }
  const maskPixels = mask && place('mask', mask)
  const placedPixels =
    placement.kind === 'corners'
      ? areaOf(boundQuad(scaleQuad(placement.corners, output.scaleX, output.scaleY), output))
      : place('uvmap', placement.uvmap)
  // A lit frame is bounded by its mask, an unlit one by mask and placement.
  const pixels = maskPixels === null ? placedPixels : lighting ? maskPixels : Math.min(maskPixels, placedPixels)
  let rateMs = drawnMs[placement.kind] + (mask ? drawnMs.mask : 0)
  let rateBytes = heldBytes[placement.kind]
  for (const [term, reference] of lightsOf(lighting, darkLighting)) {
    place('light', reference)
    rateMs += lightTerms[term].drawnMs
    rateBytes += heldBytes.light
  }
  return costLayers(layers, pixels, rateMs, rateBytes)
}

/** The area that artwork touches, and whether operations are recoloured. */
type StackBounds = { readonly output: OutputSize; readonly touched: Rect; readonly hasColors: boolean }

/** The cost of a template's stack; overlays are counted as part of it. */
function costStack(template: Template, output: OutputSize, findLayer: FindLayer): readonly LayerCost[] {
  const { arithmetic, operations } = listOperations({ ...template, overlays: [] })
  if (arithmetic === 'bytes') return []
  const touched = uniteRects(template.frames.map(frame => rectOfFrame(frame, output, findLayer)))
  const bounds = { output, touched, hasColors: template.colors.length > 0 }
  const inners = template.frames.flatMap(frame => {
    const pixels = areaOf(rectOfFrame(frame, output, findLayer))
    return costList(frame.inner, template, bounds, findLayer, pixels)
  })
  const effects = template.frames.flatMap(frame => costEffects(frame, output, findLayer))
  return [...costList(operations, template, bounds, findLayer, areaOf(output)), ...inners, ...effects]
}

/** Effects of a frame: masks of everything they change, computed and drawn for every mockup. */
function costEffects(frame: Frame, output: OutputSize, findLayer: FindLayer): readonly LayerCost[] {
  const { effects, blur, motionBlur, sharpen, filterMask } = frame
  if (effects.length === 0 && !hasFilters(frame)) return []
  const farthest = (reachOfEffects(effects) + reachOfFilters(frame)) * Math.max(output.scaleX, output.scaleY)
  const pixels = areaOf(growRect(rectOfFrame(frame, output, findLayer), Math.ceil(farthest), output))
  const pictures = picturesOf(effects)
  const layers: { use: keyof typeof storedMs; stored: StoredLayer }[] = pictures.map(picture => ({
    use: 'overlay',
    stored: findLayer('overlay', picture.image),
  }))
  if (filterMask) layers.push({ use: 'mask', stored: findLayer('mask', filterMask.image) })
  const shapeMs = effects.length > 0 ? effectMs.shape : 0
  const filtersMs =
    (blur > 0 ? effectMs.blur : 0) + (motionBlur ? effectMs.motion : 0) + (sharpen ? effectMs.sharpen : 0)
  const rateMs = effects.reduce((sum, { kind }) => sum + effectMs[kind], shapeMs) + filtersMs
  const heldRate = heldBytes.overlay * pictures.length + (filterMask ? heldBytes.mask : 0)
  const cost = costLayers(layers, pixels, rateMs, heldRate)
  return [{ ...cost, passingBytes: Math.max(cost.passingBytes, (EFFECT_BYTES + effects.length) * pixels) }]
}

/** Operations of a list and nested lists. `within`: how many pixels the list can change. */
function costList(
  list: readonly Operation[],
  template: Template,
  bounds: StackBounds,
  findLayer: FindLayer,
  within: number,
): readonly LayerCost[] {
  return list.flatMap(operation => {
    const cost = costOperation(operation, template, bounds, findLayer, within)
    const insideOf = (inside: readonly Operation[]): readonly LayerCost[] =>
      costList(inside, template, bounds, findLayer, cost.pixels)
    if (operation.kind === 'group') return [cost, ...insideOf(operation.operations), ...insideOf(operation.clip)]
    return operation.kind === 'mix' ? [cost, ...insideOf(operation.operations)] : [cost]
  })
}

/** An operation without a mask is counted with every pixel that its list can change. */
function costOperation(
  operation: Operation,
  template: Template,
  { output, touched, hasColors }: StackBounds,
  findLayer: FindLayer,
  within: number,
): LayerCost {
  if (operation.kind === 'frame') {
    const frame = template.frames[operation.index]
    const pixels = frame ? costFrame(frame, output, findLayer).pixels : 0
    const rateMs = drawnMs.sampled + (frame?.lighting ? drawnMs.litSampled : 0)
    return costLayers([], pixels, rateMs, heldBytes.sampled)
  }
  const held = layersOf(operation)
  const layers: { use: keyof typeof storedMs; stored: StoredLayer }[] = held.map(({ use, layer }) => ({
    use: use === 'thumbnail' ? 'scene' : use,
    stored: findLayer(use, layer.image),
  }))
  const isCube = operation.kind === 'adjust' && operation.adjustment.kind === 'cube'
  const [first] = held
  const rect = first ? reachRect(findLayer(first.use, first.layer.image), first.layer, output) : null
  const pixels = Math.min(within, rect ? areaOf(rect) : within)
  const { kind } = operation
  const rateBytes = kind === 'picture' ? heldBytes.overlay : kind === 'affine' ? heldBytes.affine : heldBytes.mask
  // Whole, and a copy of the part under frames unless that is nearly all; other colours need all of it.
  const isCopied = hasColors || (rect !== null && areaOf(rect) > MOST_UNTRIMMED * areaOf(intersectRects(rect, touched)))
  const copies = rect === null ? 0 : isCopied ? 2 : 1
  const rangesMs = 'where' in operation && operation.where ? drawnMs.ranges : 0
  const rateMs = operationMs[kind] + (isCube ? drawnMs.cube : 0) + rangesMs
  return costLayers(layers, pixels, rateMs, copies * rateBytes)
}

/** Every pixel that a frame may touch. */
function rectOfFrame({ placement, mask }: Frame, output: OutputSize, findLayer: FindLayer): Rect {
  const placed =
    placement.kind === 'corners'
      ? boundQuad(scaleQuad(placement.corners, output.scaleX, output.scaleY), output)
      : reachRect(findLayer('uvmap', placement.uvmap.image), placement.uvmap, output)
  return mask ? intersectRects(placed, reachRect(findLayer('mask', mask.image), mask, output)) : placed
}

function costColorArea({ mask, lighting, dark }: ColorArea, output: OutputSize, findLayer: FindLayer): LayerCost {
  // Counted with the stack.
  if (mask === null) return { pixels: 0, timeMs: 0, heldBytes: 0, passingBytes: 0 }
  const stored = findLayer('mask', mask.image)
  const layers: { use: keyof typeof storedMs; stored: StoredLayer }[] = [{ use: 'mask', stored }]
  let rateMs = drawnMs.color + drawnMs.mask
  let rateBytes = heldBytes.corners
  for (const [term, reference] of lightsOf(lighting, dark?.lighting ?? null)) {
    layers.push({ use: 'light', stored: findLayer('light', reference.image) })
    rateMs += lightTerms[term].drawnMs
    rateBytes += heldBytes.light
  }
  return costLayers(layers, reachArea(stored, mask, output), rateMs, rateBytes)
}

function lightsOf(...lightings: readonly (Lighting | null)[]): (readonly [keyof typeof lightTerms, LayerReference])[] {
  return lightings.flatMap(lighting =>
    lightTermNames.flatMap(term => {
      const reference = lighting?.[term]
      return reference ? [[term, reference] as const] : []
    }),
  )
}

function costOverlay({ layer, blendMode }: Overlay, output: OutputSize, findLayer: FindLayer): LayerCost {
  const stored = findLayer('overlay', layer.image)
  const rateMs = drawnMs.overlay + (blendModes[blendMode].kind === 'separable' ? 0 : drawnMs.mixing)
  return costLayers([{ use: 'overlay', stored }], reachArea(stored, layer, output), rateMs, heldBytes.overlay)
}

function costLayers(
  layers: readonly { readonly use: keyof typeof storedMs; readonly stored: StoredLayer }[],
  pixels: number,
  rateMs: number,
  rateBytes: number,
): LayerCost {
  const decodingMs = layers.reduce((sum, { use, stored }) => sum + (storedMs[use] * areaOf(stored)) / 1e6, 0)
  return {
    pixels,
    timeMs: decodingMs + (rateMs * pixels) / 1e6,
    heldBytes: rateBytes * pixels,
    passingBytes: Math.max(0, ...layers.map(({ use, stored }) => storedBytes[use] * areaOf(stored))),
  }
}

function sumPart(layers: readonly LayerCost[]): TemplatePart {
  return {
    megapixels: layers.reduce((sum, layer) => sum + layer.pixels, 0) / 1e6,
    timeMs: layers.reduce((sum, layer) => sum + layer.timeMs, 0),
  }
}

/** How many output pixels a layer can change. */
function reachArea(stored: StoredLayer, reference: LayerReference, output: OutputSize): number {
  return areaOf(reachRect(stored, reference, output))
}

function reachRect(stored: StoredLayer, reference: LayerReference, output: OutputSize): Rect {
  if (stored.shown === null) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  return reachOf(stored.shown, stored, placeLayer(reference, output), output)
}

/** The cost in words. */
export function describeTemplateCost(cost: Pick<TemplateCost, 'timeMs' | 'memoryBytes' | 'widthPx'>): string {
  const { timeMs, memoryBytes, widthPx } = cost
  return `${seconds(timeMs)} and ${megabytes(memoryBytes)} of a render process at ${widthPx} px width`
}

/** Whether a template exceeds what a process may spend on one. */
export function isTooCostly({ timeMs, memoryBytes }: Pick<TemplateCost, 'timeMs' | 'memoryBytes'>): boolean {
  return timeMs > MAX_TEMPLATE_TIME_MS || memoryBytes > MAX_TEMPLATE_MEMORY_BYTES
}

/** Adds a fault if a template exceeds what a process may spend on it. Returns whether it does. */
export function checkTemplateCost(cost: TemplateCost, faults: FaultCollector): boolean {
  const { parts } = cost
  if (!isTooCostly(cost)) return false
  const field = partNames.reduce((most, name) => (parts[name].timeMs > parts[most].timeMs ? name : most))
  const details = partNames
    .filter(name => parts[name].megapixels > 0)
    .map(name => `${name} ${Math.round(parts[name].megapixels)} megapixels, ${seconds(parts[name].timeMs)}`)
  const limit = `${seconds(MAX_TEMPLATE_TIME_MS)} and ${megabytes(MAX_TEMPLATE_MEMORY_BYTES)}`
  faults.add(
    DESCRIPTION_FILE,
    field,
    `a template that takes at most ${limit} of a render process at ${cost.widthPx} px width`,
    `one that takes ${seconds(cost.timeMs)} and ${megabytes(cost.memoryBytes)} (${details.join('; ')}); ` +
      'use fewer or smaller frames, overlays and operations, a region for each layer, or a less tall scene',
  )
  return true
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
