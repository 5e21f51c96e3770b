import { type EffectPart, partsOfEffect, type Rect, type ShapedEffect } from '@vitrine/engine'
import { isEmpty, spread } from '../rects.ts'
import { cutPlane } from './float-picture.ts'

/** What effects are drawn from: the shape of a layer, or of the artwork of a frame. */
export type Matte = {
  /** what it is drawn from, which tells it from others: a frame, or a layer and those that shape it */
  readonly sources: readonly object[]
  /** its alpha with its masks */
  readonly shapeIn: (rect: Rect) => Float32Array
  /** that of the layer, including fill */
  readonly opacity: number
  /** where its effects are asked for */
  readonly bounds: Rect
  /** all that are drawn from it */
  readonly effects: readonly ShapedEffect[]
}

type SoftEffect = Extract<ShapedEffect, { readonly kind: 'shadow' | 'inner-shadow' }>
type Mask = { readonly place: EffectPart['place']; readonly mask: Float32Array }
type Band = { readonly rect: Rect; readonly masks: readonly Mask[] }

/** Of all masks together: 4 bytes each. */
const RETAINED_PIXELS = 12_000_000

/** What is farther away is drawn from a shape of its own, so that no distance takes more memory. */
const NEAR_PX = 256

/**
 * Masks of effects, drawn in bands of many rows, of which the last is retained: a strip alone would need
 * several times its pixels around it.
 */
export class EffectMasks {
  readonly #bandPixels: number
  readonly #bands: { readonly sources: Matte['sources']; readonly bands: Map<number, Band> }[] = []
  #shape: { readonly sources: Matte['sources']; readonly rect: Rect; readonly alpha: Float32Array } | null = null

  /** `count`: of all effects whose masks are drawn in turn. */
  constructor(count: number) {
    this.#bandPixels = Math.floor(RETAINED_PIXELS / Math.max(1, count))
  }

  /** The masks of the effect at an index, over a rectangle. Those inside count where the shape does. */
  read(matte: Matte, index: number, rect: Rect): readonly Mask[] {
    const effect = matte.effects[index]
    if (!effect) throw new Error('Expected an effect of the shape.')
    const rows = isEmpty(rect) ? 0 : Math.floor(this.#bandPixels / rect.widthPx)
    if (effect.kind === 'overlay') return this.#draw(matte, effect, rect)
    if (rows <= rect.heightPx) {
      this.#holdShape(matte, rect)
      return this.#draw(matte, effect, rect)
    }
    const bands = this.#bandsOf(matte.sources)
    let read: readonly Mask[] | null = null
    const bottom = bottomOf(rect)
    for (let top = rect.top; top < bottom; ) {
      let band = bands.get(index)
      if (!band || !contains(band.rect, { ...rect, top, heightPx: 1 })) {
        const end = Math.max(bottom, Math.min(top + rows, bottomOf(matte.bounds)))
        const next = { ...rect, top, heightPx: end - top }
        this.#holdShape(matte, next)
        band = { rect: next, masks: this.#draw(matte, effect, next) }
        bands.set(index, band)
      }
      const { rect: from, masks } = band
      const part = { ...rect, top, heightPx: Math.min(bottom, bottomOf(from)) - top }
      const start = (top - rect.top) * rect.widthPx
      read ??= masks.map(({ place }) => ({ place, mask: new Float32Array(rect.widthPx * rect.heightPx) }))
      for (const [i, { mask }] of read.entries()) mask.set(cutPlane(masks[i]?.mask ?? mask, from, part), start)
      top += part.heightPx
    }
    return read ?? []
  }

  /** The shape over a rectangle; not to be changed. */
  shape({ sources, shapeIn }: Matte, rect: Rect): Float32Array {
    const held = this.#shape
    if (!held || !areSame(held.sources, sources) || !contains(held.rect, rect)) return shapeIn(rect)
    return cutPlane(held.alpha, held.rect, rect)
  }

  #bandsOf(sources: Matte['sources']): Map<number, Band> {
    const known = this.#bands.find(each => areSame(each.sources, sources))
    if (known) return known.bands
    const bands = new Map<number, Band>()
    this.#bands.push({ sources, bands })
    return bands
  }

  /** Draws the shape once for all effects over a rectangle. */
  #holdShape(matte: Matte, over: Rect): void {
    const { sources, effects, shapeIn } = matte
    const held = this.#shape
    if (effects.length < 2 || (held && areSame(held.sources, sources) && contains(held.rect, over))) return
    const rect = spread(over, Math.max(...effects.map(effect => reachOfEffect(effect, NEAR_PX))))
    this.#shape = { sources, rect, alpha: shapeIn(rect) }
  }

  #draw(matte: Matte, effect: ShapedEffect, rect: Rect): readonly Mask[] {
    const [dx, dy] = isSoft(effect) ? effect.offset : [0, 0]
    const source = { ...rect, left: rect.left - dx, top: rect.top - dy }
    const wide = spread(source, reachOfEffect(isSoft(effect) ? { ...effect, offset: [0, 0] } : effect))
    const still: ShapedEffect = !isSoft(effect)
      ? effect
      : { ...effect, offset: [0, 0], ...(effect.kind === 'shadow' && { showsThrough: true }) }
    const alpha = effect.kind === 'overlay' ? new Float32Array(0) : this.shape(matte, wide)
    const parts = partsOfEffect(still, { ...wide, alpha }, matte.opacity)
    const over = effect.kind === 'shadow' && !effect.showsThrough ? this.shape(matte, rect) : null
    return parts.map(({ place, mask: drawn }) => {
      const mask = drawn ? cutPlane(drawn, wide, source) : new Float32Array(rect.widthPx * rect.heightPx).fill(1)
      if (over) for (let k = 0; k < mask.length; k++) mask[k] = (mask[k] ?? 0) * (1 - (over[k] ?? 0))
      return { place, mask }
    })
  }
}

/** How far an effect reaches beyond its shape, in pixels; without the way of one that is moved by more. */
export function reachOfEffect(effect: ShapedEffect, farthestPx = Infinity): number {
  if (effect.kind === 'overlay') return 0
  if (effect.kind === 'stroke') return Math.ceil(effect.outerPx + effect.innerPx) + MARGIN_PX
  const way = Math.max(...effect.offset.map(Math.abs))
  const reach = (way <= farthestPx ? way : 0) + effect.spread + effect.blur
  return reach > 0 ? Math.ceil(reach) + MARGIN_PX : 0
}

const MARGIN_PX = 3

const isSoft = (effect: ShapedEffect): effect is SoftEffect =>
  effect.kind === 'shadow' || effect.kind === 'inner-shadow'

const areSame = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i])

const bottomOf = ({ top, heightPx }: Rect): number => top + heightPx

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.widthPx >= inner.left + inner.widthPx &&
    bottomOf(outer) >= bottomOf(inner)
  )
}
