import { CUBE_SIDE } from '../../kernels/assembly/stack/constants.ts'
import type { Rect } from '../geometry/rect.ts'
import { writeHexColor } from '../hex-color.ts'
import { describeRanges } from '../operations/color-ranges.ts'
import type { PreparedAdjustment, PreparedEffect, PreparedOperation } from '../operations/operation.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap, WidePixmap } from '../pixmap.ts'

/** A layer of a bundle at an output's size. */
export type ReducedLayer = OpaquePixmap | StraightPixmap | CoveragePixmap | UvPixmap | WidePixmap

/** Stores a picture of a region. Returns its value for the description. */
type PutLayer = (name: string, layer: ReducedLayer, region: Rect) => unknown

/** Stores numbers that have no region. Returns their file name. */
type PutFile = (name: string, layer: ReducedLayer) => string

/** Writes prepared operations as in template.json, with their pictures as layers. */
export class StackReducer {
  /** indices of the frames drawn so far */
  readonly drawn = new Set<number>()
  /** by index */
  readonly inner = new Map<number, readonly unknown[]>()
  readonly effects = new Map<number, readonly unknown[]>()
  readonly #put: PutLayer
  readonly #putFile: PutFile
  #count = 0

  constructor(put: PutLayer, putFile: PutFile) {
    this.#put = put
    this.#putFile = putFile
  }

  list(operations: readonly PreparedOperation[]): readonly unknown[] {
    return operations.map(operation => this.#describe(operation))
  }

  #describe(operation: PreparedOperation): unknown {
    const { region } = operation
    const size = { widthPx: region.widthPx, heightPx: region.heightPx }
    const name = `stack-${this.#count++}`
    const masked = (mask: Uint8Array | null): object =>
      mask ? { mask: this.#put(`${name}-mask`, { alpha: 'coverage', ...size, data: mask }, region) } : {}
    switch (operation.kind) {
      case 'picture': {
        const picture = this.#put(name, { alpha: 'straight', ...size, data: operation.data }, region)
        return { picture, fill: operation.fill, ...compositingOf(operation) }
      }
      case 'scene':
        throw new Error('Expected operations over the scene.')
      case 'frame':
      case 'light':
        this.drawn.add(operation.index)
        if (operation.inner.length > 0) this.inner.set(operation.index, this.list(operation.inner))
        if (operation.effects) {
          const { list } = operation.effects
          this.effects.set(
            operation.index,
            list.map((effect, at) => this.#effect(effect, `${name}-effect-${at}`)),
          )
        }
        return { frame: operation.index }
      case 'affine': {
        const wide = (part: 'multiply' | 'add'): unknown =>
          this.#put(`${name}-${part}`, { alpha: 'wide', ...size, data: operation[part] }, region)
        return { affine: { multiply: wide('multiply'), add: wide('add') } }
      }
      case 'adjust':
        return {
          adjust: this.#adjustment(operation.adjustment, name),
          ...masked(operation.mask),
          ...compositingOf(operation),
        }
      case 'color':
        return { color: operation.area, ...masked(operation.mask), ...compositingOf(operation) }
      case 'group':
        return {
          group: this.list(operation.operations),
          clip: this.list(operation.clip),
          fill: operation.fill,
          ...masked(operation.mask),
          ...describeRanges(operation.where?.ranges ?? null),
          ...compositingOf(operation),
        }
      case 'mix':
        break
    }
    const { opacity, mask, where } = operation
    return { mix: this.list(operation.operations), opacity, ...masked(mask), ...describeRanges(where?.ranges ?? null) }
  }

  /** Lengths in output pixels, which are the scene pixels of the reduced bundle. */
  #effect(effect: PreparedEffect, name: string): unknown {
    const compositing = compositingOf(effect)
    const { paint } = effect
    if ('picture' in paint) {
      const { region, data } = paint.picture
      const size = { widthPx: region.widthPx, heightPx: region.heightPx }
      return { overlay: { picture: this.#put(name, { alpha: 'straight', ...size, data }, region) }, ...compositing }
    }
    const color = writeHexColor(paint.color)
    if (effect.kind === 'overlay') return { overlay: { color }, ...compositing }
    if (effect.kind === 'stroke') {
      const { outerPx, innerPx } = effect
      const position = outerPx === innerPx ? 'center' : outerPx > 0 ? 'outside' : 'inside'
      return { stroke: { color, width: outerPx + innerPx, position }, ...compositing }
    }
    const { offset, spread, blur, gain } = effect
    const soft = { color, offset, spread, blur, gain }
    if (effect.kind === 'shadow') return { shadow: { ...soft, shows_through: effect.showsThrough }, ...compositing }
    return { inner_shadow: { ...soft, from_center: effect.fromCenter }, ...compositing }
  }

  #adjustment(adjustment: PreparedAdjustment, name: string): unknown {
    if (adjustment.kind === 'threshold') return { threshold: adjustment.level }
    const { values } = adjustment
    const stored = (value: number | undefined): number => Math.round((value ?? 0) * 65_535)
    if (adjustment.kind === 'cube') {
      const size = { widthPx: CUBE_SIDE, heightPx: CUBE_SIDE * CUBE_SIDE }
      return { cube: this.#putFile(name, { alpha: 'wide', ...size, data: Uint16Array.from(values, stored) }) }
    }
    const data = Uint16Array.from({ length: 768 }, (_, i) => stored(values[(i % 3) * 256 + Math.floor(i / 3)]))
    return { tables: this.#putFile(name, { alpha: 'wide', widthPx: 256, heightPx: 1, data }) }
  }
}

function compositingOf({ blendMode, opacity }: { readonly blendMode: string; readonly opacity: number }): object {
  return { blending_mode: blendMode, opacity }
}
