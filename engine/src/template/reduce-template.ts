import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { ImageCodec } from '../codec.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { scaleQuad } from '../geometry/quad.ts'
import type { Rect } from '../geometry/rect.ts'
import { writeHexColor } from '../hex-color.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import type { Drawing, PreparedOperation } from '../operations/operation.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap } from '../pixmap.ts'
import { unmultiplyPixels } from '../sampling/premultiply.ts'
import { buildUvField, interpolateUvField } from '../sampling/uv-grid.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import { coarsenMap } from './coarse-map.ts'
import { defaultColors, listOperations, OperationCompiler } from './compile-operations.ts'
import { noFilters } from './filter-fields.ts'
import { lightTermNames } from './light-terms.ts'
import { parseTemplate } from './parse-template.ts'
import { resampleMapAlpha } from './prepare-frame.ts'
import {
  createLayerReader,
  findReach,
  type LayerFiles,
  type OutputSize,
  outputSizeOf,
  placeLayer,
  resampleMask,
} from './prepare-layer.ts'
import { readLight } from './prepare-light.ts'
import { prepareTemplate } from './prepare-template.ts'
import { type ReducedLayer, StackReducer } from './reduce-stack.ts'

import type { ColorArea, Frame, LayerReference, Lighting } from './template.ts'

export type { ReducedLayer } from './reduce-stack.ts'

export type ReducedBundle = {
  /** The JSON of its template.json. */
  readonly description: unknown
  /** By the names used in the description. */
  readonly layers: ReadonlyMap<string, ReducedLayer>
}

/** A reduced bundle, and the area where frames and colour areas draw over its scene. */
export type CoveredBundle = ReducedBundle & { readonly covered: CoveragePixmap }

/** How each layer is stored: coordinates and coverage losslessly, colours as good-quality pictures. */
const reducedExtensions = {
  opaque: 'webp',
  straight: 'png',
  coverage: 'png',
  uv: 'png',
  wide: 'png',
} as const satisfies Record<ReducedLayer['alpha'], string>

/** The most by which coarse maps may move a pixel of the artwork, in output pixels. */
const COARSE_TOLERANCE_PX = 0.35

/** `exact`: coordinates for every output pixel. `coarse`: as few as a preview needs, and masks. */
export type ReducedMaps = 'exact' | 'coarse'

/** A layer without visible pixels becomes one transparent pixel: empty pictures don't exist. */
const emptyReach: Rect = { left: 0, top: 0, widthPx: 1, heightPx: 1 }
const clearPixel: StraightPixmap = { alpha: 'straight', widthPx: 1, heightPx: 1, data: new Uint8Array(4) }

/**
 * A bundle with all its pictures at one output width, or at the scene's if that is smaller. Rendered at this
 * width, it gives the same as the whole bundle, and it contains nothing of a larger size.
 */
export async function reduceTemplate(
  files: LayerFiles,
  maxWidthPx: number,
  codec: ImageCodec,
  maps: ReducedMaps = 'exact',
): Promise<CoveredBundle> {
  const json: unknown = JSON.parse(new TextDecoder().decode(await files.read(DESCRIPTION_FILE)))
  const template = parseTemplate(json)
  const stored = inspectArtwork(await files.read(template.scene))
  const output = outputSizeOf(stored, Math.min(maxWidthPx, stored.widthPx))
  // Without effects, `empty` is the scene, with the rims of lit frames as at this width.
  const plain = template.frames.map(frame => ({ ...frame, ...noFilters, inner: [], effects: [], fill: 1 }))
  const bare = { ...template, maxWidth: null, overlays: [], stack: null, frames: plain }
  const prepared = await prepareTemplate(bare, files, output.widthPx, codec)
  const reducer = new Reducer(files, output, codec, maps)
  const frames: Record<string, unknown>[] = []
  for (const [index, frame] of template.frames.entries())
    frames.push(await reducer.frame(frame, `frame-${index}`, prepared.frames[index]))
  const colors: Record<string, unknown>[] = []
  for (const area of template.colors) colors.push(await reducer.color(area))
  const { operations } = listOperations({ ...template, overlays: [] })
  const compiler = (arithmetic: Drawing['arithmetic']): OperationCompiler =>
    new OperationCompiler(template, arithmetic, prepared.frames, defaultColors(template), output, files, codec)
  const stack = reducer.stack(await compiler('floats').list(operations), frames)
  const overlays: Record<string, unknown>[] = []
  for (const [index, overlay] of template.overlays.entries()) {
    const [picture] = await compiler('bytes').list([{ kind: 'picture', fill: 1, ...overlay }])
    overlays.push(reducer.overlay(picture, `overlay-${index}`))
  }
  const described = fieldsOf(json)
  for (const name of ['thumbnail', 'drawing', 'max_width']) delete described[name]
  const scene = `scene.${reducedExtensions.opaque}`
  return {
    description: {
      ...described,
      scene,
      frames: merged(described['frames'], frames),
      ...(colors.length > 0 && { colors: merged(described['colors'], colors) }),
      ...(overlays.length > 0 && { overlays: merged(described['overlays'], overlays) }),
      ...(template.stack !== null && { stack }),
    },
    layers: new Map<string, ReducedLayer>([[scene, prepared.empty], ...reducer.layers]),
    covered: findCovered(
      prepared.empty,
      prepared.frames.map(({ plan: { region }, coverage }) => ({ region, coverage })).concat(reducer.colored),
    ),
  }
}

type Covered = { readonly region: Rect; readonly coverage: Uint8Array }

/** The greatest coverage of each pixel by any part. */
function findCovered({ widthPx, heightPx }: OpaquePixmap, parts: readonly Covered[]): CoveragePixmap {
  const data = new Uint8Array(widthPx * heightPx)
  for (const { region, coverage } of parts)
    for (let y = 0, i = 0; y < region.heightPx; y++)
      for (let x = 0; x < region.widthPx; x++, i++) {
        const at = (region.top + y) * widthPx + region.left + x
        data[at] = Math.max(data[at] ?? 0, coverage[i] ?? 0)
      }
  return { alpha: 'coverage', widthPx, heightPx, data }
}

/** Reduces the layers of one template, and returns what the description has in their place. */
class Reducer {
  readonly layers = new Map<string, ReducedLayer>()
  /** Coverage of the colour areas. */
  readonly colored: Covered[] = []
  readonly #files: LayerFiles
  readonly #output: OutputSize
  readonly #codec: ImageCodec
  readonly #maps: ReducedMaps

  constructor(files: LayerFiles, output: OutputSize, codec: ImageCodec, maps: ReducedMaps) {
    this.#files = files
    this.#output = output
    this.#codec = codec
    this.#maps = maps
  }

  async frame(
    { placement, mask, blur, motionBlur, sharpen, filterMask, lighting, darkLighting }: Frame,
    name: string,
    prepared: PreparedFrame | undefined,
  ): Promise<Record<string, unknown>> {
    const { scaleX, scaleY } = this.#output
    const fields: Record<string, unknown> =
      placement.kind === 'corners'
        ? { corners: scaleQuad(placement.corners, scaleX, scaleY) }
        : this.#maps === 'coarse' && prepared !== undefined
          ? await this.#coarseMap(placement.uvmap, prepared, name)
          : { uvmap: await this.#map(placement.uvmap, `${name}-uv`) }
    const scale = Math.sqrt(scaleX * scaleY)
    if (blur > 0) fields['blur'] = blur * scale
    if (motionBlur) fields['motion_blur'] = { ...motionBlur, length: motionBlur.length * scale }
    if (sharpen) fields['sharpen'] = { ...sharpen, radius: sharpen.radius * scale }
    if (filterMask) fields['filter_mask'] = await this.#mask(filterMask, `${name}-filter-mask`)
    if (mask !== null && !('mask' in fields)) fields['mask'] = await this.#mask(mask, `${name}-mask`)
    const light = prepared?.light ?? null
    if (lighting === null || light === null || prepared === undefined) return fields
    const { region } = prepared.plan
    fields['lighting'] = this.#lighting(light, lighting.scale, region, name)
    if (darkLighting !== null) fields['dark_lighting'] = await this.#readLighting(darkLighting, region, `${name}-dark`)
    return fields
  }

  async color({ name, mask, lighting, dark }: ColorArea): Promise<Record<string, unknown>> {
    if (mask === null) {
      const { widthPx, heightPx } = this.#output
      const coverage = new Uint8Array(widthPx * heightPx).fill(255)
      this.colored.push({ region: { left: 0, top: 0, widthPx, heightPx }, coverage })
      return {}
    }
    const file = `color-${name}`
    const colored = await this.#readMask(mask)
    this.colored.push(colored)
    const fields: Record<string, unknown> = {
      mask: this.#put(
        `${file}-mask`,
        { alpha: 'coverage', ...sizeOf(colored.region), data: colored.coverage },
        colored.region,
      ),
    }
    if (lighting === null) return fields
    const read = createLayerReader(this.#output, this.#files, this.#codec)
    const { layer, placement } = await read(mask, 'coverage')
    const region = findReach(layer, placement, this.#output)
    fields['lighting'] = await this.#readLighting(lighting, region, file)
    if (dark !== null)
      fields['dark'] = {
        color: writeHexColor(dark.color),
        lighting: await this.#readLighting(dark.lighting, region, `${file}-dark`),
      }
    return fields
  }

  /** `picture`: in bytes; undefined if nothing of it is visible. */
  overlay(picture: PreparedOperation | undefined, name: string): Record<string, unknown> {
    if (picture?.kind !== 'picture') return { image: this.#put(name, clearPixel, emptyReach), region: undefined }
    const { region } = picture
    const layer: StraightPixmap = { alpha: 'straight', ...sizeOf(region), data: unmultiplyPixels(picture.data) }
    return { image: this.#put(name, layer, region), region: undefined }
  }

  /** Adds inner lists and effects to `frames`. Frames without visible pixels are drawn last. */
  stack(operations: readonly PreparedOperation[], frames: Record<string, unknown>[]): readonly unknown[] {
    const putFile = (name: string, layer: ReducedLayer): string => {
      const image = `${name}.${reducedExtensions[layer.alpha]}`
      this.layers.set(image, layer)
      return image
    }
    const reducer = new StackReducer((name, layer, region) => this.#put(name, layer, region), putFile)
    const stack = reducer.list(operations)
    for (const [index, frame] of frames.entries()) {
      frame['inner'] = reducer.inner.get(index)
      frame['effects'] = reducer.effects.get(index)
    }
    const missing = frames.flatMap((_, index) => (reducer.drawn.has(index) ? [] : [{ frame: index }]))
    return [...stack, ...missing]
  }

  async #mask(reference: LayerReference, name: string): Promise<unknown> {
    const { region, coverage } = await this.#readMask(reference)
    return this.#put(name, { alpha: 'coverage', ...sizeOf(region), data: coverage }, region)
  }

  async #readMask(reference: LayerReference): Promise<Covered> {
    const layer = await this.#codec.decodeLayer(await this.#files.read(reference.image), 'coverage')
    const placement = placeLayer(reference, this.#output)
    const region = orOnePixel(findReach(layer, placement, this.#output))
    return { region, coverage: resampleMask({ layer, placement }, region) }
  }

  async #map(reference: LayerReference, name: string): Promise<unknown> {
    const layer = await this.#codec.decodeLayer(await this.#files.read(reference.image), 'uv')
    const placement = placeLayer(reference, this.#output)
    const reach = orOnePixel(findReach(layer, placement, this.#output))
    const alpha = layer.hasCoverage ? resampleMapAlpha({ layer, placement }, reach) : null
    const everywhere = new Uint8Array(reach.widthPx * reach.heightPx).fill(255)
    const { u, v } = interpolateUvField(buildUvField(layer), placement, reach, everywhere)
    const data = new Uint16Array(3 * u.length)
    for (let i = 0; i < u.length; i++) {
      const isInside = !Number.isNaN(u[i] ?? Number.NaN)
      // A pixel of only zeros would count as outside the map.
      data[3 * i] = isInside ? Math.max(1, stored16(u[i] ?? 0)) : 0
      data[3 * i + 1] = isInside ? stored16(v[i] ?? 0) : 0
      data[3 * i + 2] = alpha === null ? 65_535 : (alpha[i] ?? 0) * 257
    }
    return this.#put(name, { alpha: 'uv', ...sizeOf(reach), hasCoverage: layer.hasCoverage, data }, reach)
  }

  /** A small map, and as a mask what the whole map covers. */
  async #coarseMap(
    reference: LayerReference,
    prepared: PreparedFrame,
    name: string,
  ): Promise<{ uvmap: unknown; mask: unknown }> {
    const { map, region } = prepared.plan
    if (map.kind !== 'grid') throw new Error('Expected a frame with a map.')
    const field = buildUvField(await this.#codec.decodeLayer(await this.#files.read(reference.image), 'uv'))
    const coarse = coarsenMap(field, placeLayer(reference, this.#output), prepared, map, COARSE_TOLERANCE_PX)
    const data = prepared.coverage.map((share, i) => (Number.isNaN(map.u[i] ?? Number.NaN) ? 0 : share))
    const mask: CoveragePixmap =
      region.widthPx === 0
        ? { alpha: 'coverage', widthPx: 1, heightPx: 1, data: new Uint8Array(1) }
        : { alpha: 'coverage', ...sizeOf(region), data }
    return {
      uvmap: this.#put(`${name}-uv`, coarse.layer, coarse.region),
      mask: this.#put(`${name}-mask`, mask, region),
    }
  }

  async #readLighting(lighting: Lighting, region: Rect, name: string): Promise<Record<string, unknown>> {
    const read = createLayerReader(this.#output, this.#files, this.#codec)
    return this.#lighting(await readLight(lighting, region, read), lighting.scale, region, name)
  }

  #lighting(light: LightLayers, scale: number, region: Rect, name: string): Record<string, unknown> {
    const fields: Record<string, unknown> = { scale }
    for (const term of lightTermNames) {
      const layer = light[term]
      if (layer !== null) fields[term] = this.#light(layer, region, `${name}-${term}`)
    }
    return fields
  }

  #light(data: Uint8Array, region: Rect, name: string): unknown {
    const reach = orOnePixel(region)
    const isEmpty = region.widthPx === 0
    return this.#put(name, { alpha: 'opaque', ...sizeOf(reach), data: isEmpty ? new Uint8Array(3) : data }, reach)
  }

  #put(name: string, layer: ReducedLayer, region: Rect): unknown {
    const { left, top, widthPx, heightPx } = orOnePixel(region)
    const image = `${name}.${reducedExtensions[layer.alpha]}`
    this.layers.set(image, layer)
    return { image, region: [left, top, widthPx, heightPx] }
  }
}

function orOnePixel(region: Rect): Rect {
  return region.widthPx === 0 || region.heightPx === 0 ? emptyReach : region
}

function sizeOf({ widthPx, heightPx }: Rect): { widthPx: number; heightPx: number } {
  return { widthPx, heightPx }
}

function stored16(share: number): number {
  return Math.max(0, Math.min(65_535, Math.round(share * 65_535)))
}

function fieldsOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {}
}

/** Merges described items with their reduced fields; undefined fields are left out of the JSON. */
function merged(described: unknown, reduced: readonly Record<string, unknown>[]): unknown[] {
  const all: readonly unknown[] = Array.isArray(described) ? described : []
  return reduced.map((fields, index) => ({ ...fieldsOf(all[index]), ...fields }))
}
