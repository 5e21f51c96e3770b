import { type ColorRanges, type PreparedRanges, prepareRanges, type Range } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { type FloatPicture, multiplyPlane } from './float-picture.ts'

/** Photoshop's Blend If: which colours of a layer are visible, and above which colours; null: all. */
export type BlendIf = { readonly own: ColorRanges | null; readonly below: ColorRanges | null }

/** Gray first, then each channel. */
export function readBlendIf({ blendingRanges }: Layer): BlendIf {
  if (!blendingRanges) return { own: null, below: null }
  const { compositeGrayBlendSource, compositeGraphBlendDestinationRange, ranges } = blendingRanges
  return {
    own: rangesOf([compositeGrayBlendSource, ...ranges.map(({ sourceRange }) => sourceRange)]),
    below: rangesOf([compositeGraphBlendDestinationRange, ...ranges.map(({ destRange }) => destRange)]),
  }
}

/** Whether the shape of any layer depends on colours. */
export function hasBlendIf(layers: readonly Layer[]): boolean {
  return layers.some(layer => {
    const { own, below } = readBlendIf(layer)
    return own !== null || below !== null || hasBlendIf(layer.children ?? [])
  })
}

function rangesOf(stored: readonly (readonly number[])[]): ColorRanges | null {
  const [gray = null, red = null, green = null, blue = null] = stored.map(rangeOf)
  return gray || red || green || blue ? { gray, red, green, blue } : null
}

/** Null if it is 0, 0, 255, 255, which is everything. Ends that are out of order are sorted. */
function rangeOf([darkFrom = 0, darkTo = 0, lightFrom = 255, lightTo = 255]: readonly number[]): Range | null {
  if (darkFrom === 0 && darkTo === 0 && lightFrom === 255 && lightTo === 255) return null
  const darkEnd = Math.max(darkFrom, darkTo)
  const lightStart = Math.max(darkEnd, lightFrom)
  return [darkFrom, darkEnd, lightStart, Math.max(lightStart, lightTo)]
}

/** How visible the colours of a picture are, 0..1. */
export function weightsOf({ color, alpha }: FloatPicture, ranges: ColorRanges): Float32Array {
  const prepared = prepareRanges(ranges)
  return alpha.map((_, k) => (prepared ? weightAt(prepared, color, 3 * k) : 1))
}

/** The same for what lies below, where transparent pixels count as visible. */
export function weightsBelow(picture: FloatPicture, ranges: ColorRanges): Float32Array {
  return weightsOf(picture, ranges).map((weight, k) => {
    const alpha = picture.alpha[k] ?? 0
    return 1 - alpha + alpha * weight
  })
}

/** Hides the colours of a picture that its layer's Blend If hides. */
export function limitOwn(picture: FloatPicture, { own }: BlendIf): void {
  if (own) multiplyPlane(picture.alpha, weightsOf(picture, own))
}

function weightAt({ weights }: PreparedRanges, color: Float32Array, at: number): number {
  const byte = (value: number): number => Math.min(255, Math.max(0, Math.floor(value * 255 + 0.5)))
  const [red, green, blue] = [color[at] ?? 0, color[at + 1] ?? 0, color[at + 2] ?? 0]
  const gray = weights[byte(0.3 * red + 0.59 * green + 0.11 * blue)] ?? 0
  return gray * (weights[256 + byte(red)] ?? 0) * (weights[512 + byte(green)] ?? 0) * (weights[768 + byte(blue)] ?? 0)
}
