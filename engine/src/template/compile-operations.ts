import { fillOf } from '../blending/blend-modes.ts'
import type { ImageCodec } from '../codec.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import type { ArtworkFilters } from '../effects/filter-artwork.ts'
import { areaOf, clipToPicture, intersectRects, type Rect, uniteRects } from '../geometry/rect.ts'
import { type RgbColor, readHexColor } from '../hex-color.ts'
import { prepareRanges } from '../operations/color-ranges.ts'
import type {
  Compositing,
  Drawing,
  PreparedAdjustment,
  PreparedEffect,
  PreparedEffects,
  PreparedOperation,
} from '../operations/operation.ts'
import { cropPixels } from '../sampling/crop-pixels.ts'
import { premultiply, unmultiplyPixels } from '../sampling/premultiply.ts'
import { liesOnPixels, resampleLayer, resampleWide } from '../sampling/resample-layer.ts'
import type { Effect } from './effect-fields.ts'
import { hasFilters } from './filter-fields.ts'
import {
  createLayerReader,
  findReach,
  type LayerFiles,
  type OutputSize,
  type ReadLayer,
  resampleMask,
} from './prepare-layer.ts'
import type { Adjustment, Operation } from './stack-fields.ts'
import type { Frame, LayerReference, Template } from './template.ts'

/** What a template draws over its scene, and with which arithmetic. */
type TemplateDrawing = {
  readonly arithmetic: Drawing['arithmetic']
  readonly operations: readonly Operation[]
}

/**
 * A template as one list. If operations only draw frames and then pictures over the scene, bytes give the
 * same as floats within rounding, and faster.
 */
export function listOperations({ stack, frames, overlays }: Template): TemplateDrawing {
  const isPlain =
    stack === null &&
    frames.every(
      frame =>
        frame.inner.length === 0 &&
        frame.effects.length === 0 &&
        !hasFilters(frame) &&
        (frame.fill === 1 || frame.lighting !== null),
    )
  const drawn = stack ?? frames.map((_, index): Operation => ({ kind: 'frame', index }))
  const over = overlays.map((overlay): Operation => ({ kind: 'picture', fill: 1, ...overlay }))
  return { arithmetic: isPlain ? 'bytes' : 'floats', operations: [...drawn, ...over] }
}

/** The default colours of all areas. */
export function defaultColors({ colors }: Template): Map<string, RgbColor> {
  return new Map(colors.map(area => [area.name, readHexColor(area.default)]))
}

/** The same operations with other area colours. */
export function recolorOperations(
  operations: readonly PreparedOperation[],
  colors: ReadonlyMap<string, RgbColor>,
): readonly PreparedOperation[] {
  const recolored = (list: readonly PreparedOperation[]): readonly PreparedOperation[] =>
    recolorOperations(list, colors)
  return operations.map(operation => {
    if (operation.kind === 'color') return { ...operation, color: colors.get(operation.area) ?? operation.color }
    if (operation.kind === 'frame' || operation.kind === 'light')
      return { ...operation, inner: recolored(operation.inner) }
    if (operation.kind === 'mix') return { ...operation, operations: recolored(operation.operations) }
    if (operation.kind !== 'group') return operation
    return { ...operation, operations: recolored(operation.operations), clip: recolored(operation.clip) }
  })
}

/** Memory that operations hold. */
export function measureOperations(operations: readonly PreparedOperation[]): number {
  return operations.reduce((sum, operation) => {
    if (operation.kind === 'picture') return sum + operation.data.byteLength
    if (operation.kind === 'affine') return sum + operation.multiply.byteLength + operation.add.byteLength
    if (operation.kind === 'scene') return sum
    if (operation.kind === 'frame' || operation.kind === 'light')
      return (
        sum +
        measureOperations(operation.inner) +
        measureEffects(operation.effects) +
        (operation.filters?.mask?.byteLength ?? 0)
      )
    const mask = operation.mask?.byteLength ?? 0
    if (operation.kind === 'color') return sum + mask
    if (operation.kind === 'adjust') {
      const { adjustment } = operation
      return sum + mask + (adjustment.kind === 'threshold' ? 0 : adjustment.values.byteLength)
    }
    const clip = operation.kind === 'group' ? measureOperations(operation.clip) : 0
    return sum + mask + clip + measureOperations(operation.operations)
  }, 0)
}

function measureEffects(effects: PreparedEffects | null): number {
  return (effects?.list ?? []).reduce((sum, { paint }) => {
    return 'picture' in paint ? sum + paint.picture.data.byteLength : sum
  }, 0)
}

/** An operation's area may be this many times the needed part: copying the part would take memory. */
export const MOST_UNTRIMMED = 1.25

/** Operations that overlap a rectangle; much larger ones are trimmed to it. Only for floats. */
export function trimRoughly(operations: readonly PreparedOperation[], to: Rect): readonly PreparedOperation[] {
  return operations.flatMap(operation => {
    const inside = areaOf(intersectRects(operation.region, to))
    if (inside === 0) return []
    return areaOf(operation.region) <= MOST_UNTRIMMED * inside ? [operation] : trimOperations([operation], to)
  })
}

/** The parts of operations inside a rectangle; operations outside it are left out. */
export function trimOperations(operations: readonly PreparedOperation[], to: Rect): readonly PreparedOperation[] {
  return operations.flatMap(operation => {
    const region = intersectRects(operation.region, to)
    return areaOf(region) === 0 ? [] : [trimOperation(operation, region)]
  })
}

function trimOperation(operation: PreparedOperation, region: Rect): PreparedOperation {
  const from = operation.region
  const cropMask = (mask: Uint8Array | null): Uint8Array | null => mask && cropPixels(mask, 1, from, region)
  switch (operation.kind) {
    case 'scene':
      return { ...operation, region }
    case 'picture':
      return { ...operation, region, data: cropPixels(operation.data, 4, from, region) }
    case 'affine': {
      const multiply = cropPixels(operation.multiply, 3, from, region)
      return { ...operation, region, multiply, add: cropPixels(operation.add, 3, from, region) }
    }
    case 'frame':
    case 'light':
      return { ...operation, region, inner: trimOperations(operation.inner, region) }
    case 'color':
    case 'adjust':
      return { ...operation, region, mask: cropMask(operation.mask) }
    case 'mix': {
      const operations = trimOperations(operation.operations, region)
      return { ...operation, region, mask: cropMask(operation.mask), operations }
    }
    case 'group':
      break
  }
  const operations = trimOperations(operation.operations, region)
  const clip = trimOperations(operation.clip, region)
  return { ...operation, region, mask: cropMask(operation.mask), operations, clip }
}

/** Prepares operations for one output size. */
export class OperationCompiler {
  readonly #template: Template
  readonly #frames: readonly PreparedFrame[]
  readonly #colors: ReadonlyMap<string, RgbColor>
  readonly #output: OutputSize
  readonly #files: LayerFiles
  readonly #codec: ImageCodec
  readonly #read: ReadLayer
  readonly #arithmetic: Drawing['arithmetic']

  /** `frames`: the template's, for this output; `colors`: of all areas. */
  constructor(
    template: Template,
    arithmetic: Drawing['arithmetic'],
    frames: readonly PreparedFrame[],
    colors: ReadonlyMap<string, RgbColor>,
    output: OutputSize,
    files: LayerFiles,
    codec: ImageCodec,
  ) {
    this.#template = template
    this.#arithmetic = arithmetic
    this.#frames = frames
    this.#colors = colors
    this.#output = output
    this.#files = files
    this.#codec = codec
    this.#read = createLayerReader(output, files, codec)
  }

  async list(operations: readonly Operation[]): Promise<readonly PreparedOperation[]> {
    const prepared: PreparedOperation[] = []
    for (const operation of operations) {
      const made = await this.#prepare(operation)
      if (areaOf(made.region) > 0) prepared.push(made)
    }
    return prepared
  }

  async #prepare(operation: Operation): Promise<PreparedOperation> {
    switch (operation.kind) {
      case 'picture':
        return { kind: 'picture', ...(await this.#picture(operation.layer)), ...compositingOf(operation) }
      case 'frame':
        return this.#frame(operation.index)
      case 'affine':
        return this.#affine(operation.multiply, operation.add)
      case 'adjust': {
        const adjustment = await this.#adjustment(operation.adjustment)
        const masked = await this.#mask(operation.mask, 'within')
        return { kind: 'adjust', adjustment, ...masked, ...compositingOf(operation) }
      }
      case 'color': {
        const { area } = operation
        const color = this.#colors.get(area)
        if (!color) throw new Error(`Expected a colour for the area ${area}`)
        return { kind: 'color', area, color, ...(await this.#mask(operation.mask)), ...compositingOf(operation) }
      }
      case 'group': {
        const operations = await this.list(operation.operations)
        const clip = await this.list(operation.clip)
        const { region, mask } = await this.#mask(operation.mask)
        const filled = uniteRects(operations.filter(({ kind }) => kind !== 'adjust').map(inner => inner.region))
        const where = prepareRanges(operation.where)
        const whole: PreparedOperation = {
          kind: 'group',
          region,
          mask,
          operations,
          clip,
          where,
          ...compositingOf(operation),
        }
        return trimOperation(whole, intersectRects(region, filled))
      }
      case 'mix':
        break
    }
    const operations = await this.list(operation.operations)
    const { region, mask } = await this.#mask(operation.mask)
    const { opacity } = operation
    const where = prepareRanges(operation.where)
    const whole: PreparedOperation = { kind: 'mix', region, mask, operations, opacity, where }
    return trimOperation(whole, intersectRects(region, uniteRects(operations.map(inner => inner.region))))
  }

  async #frame(index: number): Promise<PreparedOperation> {
    const frame = this.#template.frames[index]
    const prepared = this.#frames[index]
    if (!frame || !prepared) throw new RangeError(`Expected a frame ${index} of the template.`)
    const { opacity, fill } = frame
    const filters = hasFilters(frame) ? await this.#filters(frame, prepared.reach) : null
    const inner = trimOperations(await this.list(frame.inner), filters ? prepared.reach : prepared.plan.region)
    const blendMode = prepared.light ? 'normal' : (frame.blendMode ?? this.#template.blendMode)
    return {
      kind: prepared.light ? 'light' : 'frame',
      index,
      region: prepared.reach,
      inner,
      filters,
      effects:
        frame.effects.length === 0 ? null : { blendMode, opacity, fill, list: await this.#effects(frame.effects) },
      ...compositingOf({ blendMode, opacity, fill }),
    }
  }

  async #filters({ blur, motionBlur, sharpen, filterMask }: Frame, reach: Rect): Promise<ArtworkFilters> {
    const { scaleX, scaleY } = this.#output
    const scale = Math.sqrt(scaleX * scaleY)
    return {
      blurPx: blur * scale,
      motion: motionBlur && { lengthPx: motionBlur.length * scale, angle: motionBlur.angle },
      sharpen: sharpen && { ...sharpen, radiusPx: sharpen.radius * scale },
      mask: filterMask && resampleMask(await this.#read(filterMask, 'coverage'), reach),
    }
  }

  async #effects(effects: readonly Effect[]): Promise<readonly PreparedEffect[]> {
    const prepared: PreparedEffect[] = []
    for (const effect of effects) prepared.push(await this.#effect(effect))
    return prepared
  }

  async #effect(effect: Effect): Promise<PreparedEffect> {
    const { scaleX, scaleY } = this.#output
    const scale = Math.sqrt(scaleX * scaleY)
    const compositing = compositingOf(effect)
    if (effect.kind === 'overlay') {
      const paint = 'color' in effect.paint ? effect.paint : { picture: await this.#picture(effect.paint.picture) }
      return { kind: 'overlay', paint, ...compositing }
    }
    const paint = { color: effect.color }
    if (effect.kind === 'stroke') {
      const { position } = effect
      const width = effect.width * scale
      const [outerPx, innerPx] =
        position === 'center' ? [width / 2, width / 2] : position === 'outside' ? [width, 0] : [0, width]
      return { kind: 'stroke', paint, outerPx, innerPx, ...compositing }
    }
    const { offset, spread, blur, gain } = effect
    const soft = {
      paint,
      offset: [offset[0] * scaleX, offset[1] * scaleY] as const,
      spread: spread * scale,
      blur: blur * scale,
      gain,
    }
    if (effect.kind === 'shadow') return { kind: 'shadow', showsThrough: effect.showsThrough, ...soft, ...compositing }
    return { kind: 'inner-shadow', fromCenter: effect.fromCenter, ...soft, ...compositing }
  }

  /** Filtered; in floats, unchanged if the stored pixels coincide with the output's. */
  async #picture(reference: LayerReference): Promise<{ readonly region: Rect; readonly data: Uint8Array }> {
    const { layer, placement } = await this.#read(reference, 'rgba')
    const region = findReach(layer, placement, this.#output)
    const isPremultiplied = this.#arithmetic === 'bytes'
    if (!isPremultiplied && liesOnPixels(layer, placement)) {
      const whole = { left: placement.left, top: placement.top, widthPx: layer.widthPx, heightPx: layer.heightPx }
      const shown = intersectRects(region, whole)
      return { region: shown, data: cropPixels(layer.data, 4, whole, shown) }
    }
    const data = resampleLayer(premultiply(layer), 4, placement, region, 'catmull-rom', 'clear')
    // The filter overshoots: no premultiplied channel may exceed its alpha.
    for (let i = 0; i < data.length; i++) data[i] = Math.min(data[i] ?? 0, data[i | 3] ?? 0)
    return { region, data: isPremultiplied ? data : unmultiplyPixels(data) }
  }

  /** Has no effect outside its region, where `multiply` is 1 and `add` 0. */
  async #affine(multiply: LayerReference, add: LayerReference): Promise<PreparedOperation> {
    const factors = await this.#factors(multiply)
    const addend = await this.#read(add, 'rgb16')
    return { kind: 'affine', ...factors, add: resampleWide(addend.layer, addend.placement, factors.region) }
  }

  /** A separate function, so that the stored picture is released before the next is read. */
  async #factors(multiply: LayerReference): Promise<{ readonly region: Rect; readonly multiply: Uint16Array }> {
    const { layer, placement } = await this.#read(multiply, 'rgb16')
    const { left, top, width, height } = placement
    const { widthPx, heightPx } = this.#output
    const region = clipToPicture(left, top, left + width, top + height, widthPx, heightPx)
    const lost = resampleWide({ ...layer, data: invertWide(layer.data) }, placement, region)
    return { region, multiply: invertWide(lost) }
  }

  async #adjustment(adjustment: Adjustment): Promise<PreparedAdjustment> {
    if (adjustment.kind === 'threshold') return adjustment
    const { data } = await this.#codec.decodeLayer(await this.#files.read(adjustment.image), 'rgb16')
    const share = (index: number): number => (data[index] ?? 0) / 65_535
    if (adjustment.kind === 'cube') return { kind: 'cube', values: Float32Array.from(data, (_, i) => share(i)) }
    const values = Float32Array.from({ length: 768 }, (_, i) => share((i % 256) * 3 + Math.floor(i / 256)))
    return { kind: 'tables', values }
  }

  /**
   * A mask and its visible region; without a mask, the whole picture. `within`: without the filter's reach
   * around the layer, where the mask is 0.
   */
  async #mask(
    reference: LayerReference | null,
    edge: 'around' | 'within' = 'around',
  ): Promise<{ readonly region: Rect; readonly mask: Uint8Array | null }> {
    const { widthPx, heightPx } = this.#output
    if (reference === null) return { region: { left: 0, top: 0, widthPx, heightPx }, mask: null }
    const mask = await this.#read(reference, 'coverage')
    const { left, top, width, height } = mask.placement
    const reach = findReach(mask.layer, mask.placement, this.#output)
    const inside = clipToPicture(left, top, left + width, top + height, widthPx, heightPx)
    const region = edge === 'within' ? intersectRects(reach, inside) : reach
    const resampled = resampleMask(mask, region)
    return { region, mask: resampled.every(byte => byte === 255) ? null : resampled }
  }
}

function invertWide(numbers: Uint16Array): Uint16Array {
  const inverted = new Uint16Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) inverted[i] = 65_535 - (numbers[i] ?? 0)
  return inverted
}

/** Fill acts as opacity except in modes with a fill of their own. */
function compositingOf({
  blendMode,
  opacity,
  fill = 1,
}: Omit<Compositing, 'fill'> & { readonly fill?: number }): Compositing {
  return fillOf(blendMode) !== null ? { blendMode, opacity, fill } : { blendMode, opacity: opacity * fill, fill: 1 }
}
