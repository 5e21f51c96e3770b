import { intersectRects, type Rect } from '../geometry/rect.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { Area, Pixels, StackArithmetic, Target } from '../stack/stack-arithmetic.ts'
import type { Steps } from '../steps.ts'
import type { PreparedOperation, SampledFrame } from './operation.ts'

/** What lies under a stack: pixels, of which the first is at `left`, `top` of the picture. */
type Ground = { readonly left: number; readonly top: number; readonly pixels: OpaquePixmap }

type Stack = { readonly operations: readonly PreparedOperation[]; readonly bands: readonly Rect[] }

/**
 * Draws a stack over its ground into a picture, a band in each step. `frames`: by their index; those that are
 * missing are not drawn.
 */
export function* drawStackInSteps(
  picture: OpaquePixmap,
  { operations, bands }: Stack,
  frames: readonly SampledFrame[],
  ground: Ground,
  arithmetic: StackArithmetic,
): Steps<void> {
  for (const band of bands) {
    const area = areaIn(band, band)
    arithmetic.loadScene(area, pixelsAt(band, { ...ground, widthPx: ground.pixels.widthPx }, ground.pixels.data))
    new BandDrawer(band, frames, arithmetic).drawList(operations, { surface: 0, isOpaque: true }, band, 1)
    arithmetic.storeScene(area, pixelsAt(band, { left: 0, top: 0, widthPx: picture.widthPx }, picture.data))
    yield
  }
}

/** A rectangle as areas of at most `maxPx` pixels, of whole rows where they fit. */
export function splitIntoBands({ left, top, widthPx, heightPx }: Rect, maxPx: number): readonly Rect[] {
  if (widthPx === 0 || heightPx === 0) return []
  const rows = Math.max(1, Math.floor(maxPx / widthPx))
  return Array.from({ length: Math.ceil(heightPx / rows) }, (_, index) => ({
    left,
    top: top + index * rows,
    widthPx,
    heightPx: Math.min(rows, heightPx - index * rows),
  }))
}

/** Draws lists of operations on the surfaces of one band. */
class BandDrawer {
  readonly #band: Rect
  readonly #frames: readonly SampledFrame[]
  readonly #arithmetic: StackArithmetic

  constructor(band: Rect, frames: readonly SampledFrame[], arithmetic: StackArithmetic) {
    this.#band = band
    this.#frames = frames
    this.#arithmetic = arithmetic
  }

  /** Surfaces from `free` on are of no use to anybody else. */
  drawList(operations: readonly PreparedOperation[], target: Target, within: Rect, free: number): void {
    for (const operation of operations) {
      const part = intersectRects(operation.region, within)
      if (part.widthPx > 0 && part.heightPx > 0) this.#draw(operation, target, part, free)
    }
  }

  #draw(operation: PreparedOperation, target: Target, part: Rect, free: number): void {
    const arithmetic = this.#arithmetic
    const area = areaIn(part, this.#band)
    const here = <Data>(data: Data): Pixels<Data> => pixelsAt(part, operation.region, data)
    const mask = 'mask' in operation && operation.mask !== null ? here(operation.mask) : null
    const above: Target = { surface: free, isOpaque: true }
    switch (operation.kind) {
      case 'picture':
        return arithmetic.drawPicture(target, area, here(operation.data), operation)
      case 'frame': {
        const frame = this.#frames[operation.index]
        if (!frame) return
        const colors = pixelsAt(part, frame.region, frame.data)
        const coverage = pixelsAt(part, frame.region, frame.coverage)
        if (operation.inner.length === 0) return arithmetic.drawFrame(target, area, colors, coverage, operation)
        arithmetic.placeFrame(free, area, colors, coverage)
        this.drawList(operation.inner, above, part, free + 1)
        return arithmetic.drawSurface(target, area, free, null, operation)
      }
      case 'color':
        return arithmetic.drawColor(target, area, operation.color, mask, operation)
      case 'adjust':
        return arithmetic.adjust(target.surface, area, operation.adjustment, mask, operation)
      case 'affine':
        return arithmetic.multiplyAndAdd(target.surface, area, here(operation.multiply), here(operation.add))
      case 'group':
        arithmetic.clear(free, area)
        this.drawList(operation.operations, { surface: free, isOpaque: false }, part, free + 1)
        this.drawList(operation.clip, above, part, free + 1)
        return arithmetic.drawSurface(target, area, free, mask, operation)
      case 'mix':
        arithmetic.copy(target.surface, free, area)
        this.drawList(operation.operations, target, part, free + 1)
        return arithmetic.mix(target, area, free, mask, operation.opacity)
    }
  }
}

function areaIn(part: Rect, band: Rect): Area {
  return {
    start: (part.top - band.top) * band.widthPx + part.left - band.left,
    bandWidthPx: band.widthPx,
    widthPx: part.widthPx,
    heightPx: part.heightPx,
  }
}

/** The pixels of a picture of `region` that lie on a part of it. */
function pixelsAt<Data>(part: Rect, region: Omit<Rect, 'heightPx'>, data: Data): Pixels<Data> {
  const { left, top, widthPx } = region
  return { data, first: (part.top - top) * widthPx + part.left - left, rowPx: widthPx }
}
