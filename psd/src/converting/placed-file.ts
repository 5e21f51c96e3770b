import {
  applyHomography,
  buildContentMap,
  type ContentPlacement,
  contentCoverage,
  contentFromDocument,
  intersectRects,
  type Point,
  placementBounds,
  type Rect,
  rectOf,
} from '@vitrine/engine'
import { createPicture, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import { readAlpha } from '../compositing/layer-source.ts'
import { composePlacements, placedSize, resizeContent } from '../geometry/compose-placements.ts'
import type { Displacement } from '../geometry/displacement.ts'
import { placementOf } from '../geometry/placement.ts'
import type { FileBytes } from '../reading/file-bytes.ts'
import { isEmpty } from '../rects.ts'
import { type Reduction, reductionTo } from './area-average.ts'
import { changeOperations, scaleEffect } from './change-operations.ts'
import type { Card } from './choose-frames.ts'
import { scaleFilters } from './frame-filters.ts'
import { buildFrameGeometry, type FrameGeometry } from './frame-geometry.ts'
import type { Operation } from './operation.ts'
import { reduceOperations } from './reduce-operations.ts'

/** A larger file is reduced before it is resampled from the four nearest pixels. */
const LEAST_REDUCTION = 1.15

/** Of displaced content, where its file is seen up to the horizon: farther than any canvas. */
const MOST_REACH_PX = 30_000

/** Columns that are resampled at a time: a whole strip of a rotated file would need the whole file. */
const TILE_PX = 1024

/** The picture of an embedded file where a smart object places it. */
export class PlacedFile {
  readonly #canvas: Rect
  readonly #inner: Rect
  readonly #reduction: Reduction | null
  readonly #placement: ContentPlacement
  /** what is visible of it, apart from its edges */
  readonly #alpha: (rect: Rect) => Float32Array
  readonly bounds: Rect

  /** `inner`: the file's canvas; `alpha`: that of the pixels that the surrounding document stores for it. */
  constructor(placement: ContentPlacement, inner: Rect, canvas: Rect, alpha: (rect: Rect) => Float32Array) {
    const scale = placedSize(placement).widthPx / inner.widthPx
    const isReduced = scale > 0 && scale * LEAST_REDUCTION < 1
    this.#reduction = isReduced ? reductionTo(inner, Math.max(1, Math.ceil(inner.widthPx * scale))) : null
    this.#inner = this.#reduction?.reduced ?? inner
    this.#placement = resizeContent(placement, this.#inner.widthPx, this.#inner.heightPx)
    this.#canvas = canvas
    this.#alpha = alpha
    this.bounds = placementBounds(placement, canvas)
  }

  /** How much of each pixel its edges leave, 0..1. */
  coverage(rect: Rect): Float32Array {
    return contentCoverage(this.#placement, buildContentMap(this.#placement, rect))
  }

  /** Whether content that is placed in it reaches all of its sides, and so has no edges of its own. */
  isFilledBy({ quad }: ContentPlacement): boolean {
    const own = this.#placement.quad
    return (
      quad !== null &&
      own !== null &&
      quad.every(([x, y], i) => {
        const [ownX, ownY] = own[i] ?? [NaN, NaN]
        return Math.hypot(x - ownX, y - ownY) < 0.75
      })
    )
  }

  /** Operations of the file, transformed to where it is placed. */
  operations(of: readonly Operation[]): Operation[] {
    return changeOperations(this.#reduction ? reduceOperations(of, this.#reduction) : of, {
      bounds: () => this.bounds,
      draw: draw => rect => this.#picture(draw, rect),
      weight: weight => this.#weight(weight),
      geometry: geometry => this.#geometry(geometry),
      effect: (effect, { geometry }) => {
        const { scale, move } = this.#scaleAt(geometry.placement)
        return scaleEffect(effect, scale, move)
      },
      filters: (filters, { geometry }) => {
        const { scale, move } = this.#scaleAt(geometry.placement)
        return scaleFilters(filters, scale, move, weight => this.#weight(weight))
      },
      px: px => px * this.#scale(),
    })
  }

  /** A picture of the file. */
  picture(draw: (rect: Rect) => FloatPicture, rect: Rect): FloatPicture {
    const [whole] = this.operations([
      { kind: 'picture', names: [], mode: 'normal', fill: 1, bounds: this.#inner, draw },
    ])
    if (whole?.kind !== 'picture') throw new Error('Expected the picture that was placed.')
    const picture = whole.draw(rect)
    multiplyPlane(picture.alpha, this.coverage(picture.rect))
    return picture
  }

  /** The greater of the two axes. */
  #scale(): number {
    const { widthPx, heightPx } = placedSize(this.#placement)
    return Math.max(widthPx / this.#inner.widthPx, heightPx / this.#inner.heightPx)
  }

  /** How lengths and offsets change near the middle of a frame. */
  #scaleAt({ contentWidth, contentHeight, forward }: ContentPlacement): {
    readonly scale: number
    readonly move: (offset: Point) => Point
  } {
    const [x, y] = forward(contentWidth / 2, contentHeight / 2)
    const [[atX, atY], [rightX, rightY], [downX, downY]] = [
      this.#placement.forward(x, y),
      this.#placement.forward(x + 1, y),
      this.#placement.forward(x, y + 1),
    ]
    const [a, b, c, d] = [rightX - atX, rightY - atY, downX - atX, downY - atY]
    return {
      scale: Math.sqrt(Math.abs(a * d - b * c)),
      move: ([byX, byY]) => [byX * a + byY * c, byX * b + byY * d],
    }
  }

  #geometry({ placement, displacement, mask, alpha, isStored }: FrameGeometry): FrameGeometry {
    return buildFrameGeometry(
      {
        placement: composePlacements(this.#placement, placement),
        displacement: displacement && this.#displacement(displacement),
        mask: this.#weight(mask),
        alpha: rect => {
          const plane = this.#plane(alpha, rect)
          multiplyPlane(plane, this.#alpha(rect))
          return plane
        },
        isStored,
      },
      this.#canvas,
    )
  }

  /** `findCandidates` reports that content is not moved in a file that is warped. */
  #displacement({ from, reachPx }: Displacement): Displacement {
    const { contentWidth, contentHeight, forward } = this.#placement
    const toFile = contentFromDocument(this.#placement)
    if (!toFile) throw new Error('Expected four corners of a file whose content is moved.')
    const distances = [0, contentWidth].flatMap(x =>
      [0, contentHeight].flatMap(y => {
        const [atX, atY] = forward(x, y)
        return [-reachPx, reachPx]
          .flatMap(by => [forward(x + by, y + by), forward(x + by, y - by)])
          .map(([toX, toY]) => Math.max(Math.abs(toX - atX), Math.abs(toY - atY)))
      }),
    )
    const farthest = Math.max(...distances)
    return {
      from: (x, y) => forward(...from(...applyHomography(toFile, x, y))),
      reachPx: Number.isFinite(farthest) ? Math.ceil(farthest) : MOST_REACH_PX,
    }
  }

  #weight(weight: Weight): Weight {
    return weight && (rect => this.#plane(inner => weight(inner) ?? ones(inner), rect))
  }

  #plane(draw: (rect: Rect) => Float32Array, rect: Rect): Float32Array {
    return this.#picture(inner => ({ ...createPicture(inner), alpha: draw(inner) }), rect).alpha
  }

  /** Premultiplied means of the four nearest pixels; the file's edge pixels extend beyond it. */
  #picture(draw: (rect: Rect) => FloatPicture, rect: Rect): FloatPicture {
    const out = createPicture(rect)
    for (let left = rect.left; left < rect.left + rect.widthPx; left += TILE_PX) {
      const tile = intersectRects({ ...rect, left, widthPx: TILE_PX }, intersectRects(rect, this.bounds))
      if (!isEmpty(tile)) this.#resample(draw, tile, out)
    }
    return out
  }

  #resample(draw: (rect: Rect) => FloatPicture, tile: Rect, out: FloatPicture): void {
    const { x, y } = buildContentMap(this.#placement, tile)
    const needed = intersectRects(this.#inner, rangeOf(x, y))
    if (isEmpty(needed)) return
    const source = draw(needed)
    if (isEmpty(source.rect)) return
    const last = { x: this.#inner.widthPx - 1, y: this.#inner.heightPx - 1 }
    for (let row = 0, k = 0; row < tile.heightPx; row++) {
      let to = (tile.top + row - out.rect.top) * out.rect.widthPx + tile.left - out.rect.left
      for (let column = 0; column < tile.widthPx; column++, k++, to++) {
        const [atX, atY] = [x[k] ?? NaN, y[k] ?? NaN]
        // The map extends a little beyond the file; that of a quad has no end.
        if (!(atX > -EDGE_PX && atY > -EDGE_PX && atX < last.x + 1 + EDGE_PX && atY < last.y + 1 + EDGE_PX)) continue
        const [fromX, fromY] = [Math.min(last.x, Math.max(0, atX - 0.5)), Math.min(last.y, Math.max(0, atY - 0.5))]
        mixPixels(source, fromX, fromY, last, out, to)
      }
    }
  }
}

/** The file of a smart object in the document `file`. @throws PsdRefusedError for an unsupported warp */
export function placeCard({ layer, placed, document }: Card, file: FileBytes, canvas: Rect): PlacedFile {
  const { widthPx, heightPx } = document
  const inner: Rect = { left: 0, top: 0, widthPx, heightPx }
  return new PlacedFile(resizeContent(placementOf(placed), widthPx, heightPx), inner, canvas, rect =>
    readAlpha(file, layer, rect),
  )
}

/** How far beyond its edges the file is drawn, for the pixels that its edges cross. */
const EDGE_PX = 4

/** The mean of four pixels at a point of the source, written to one pixel. */
function mixPixels(
  { rect, color, alpha }: FloatPicture,
  x: number,
  y: number,
  last: { readonly x: number; readonly y: number },
  out: FloatPicture,
  to: number,
): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  let [red, green, blue, sum] = [0, 0, 0, 0]
  for (let corner = 0; corner < 4; corner++) {
    const [dx, dy] = [corner & 1, corner >> 1]
    const share = (dx === 1 ? x - left : 1 - x + left) * (dy === 1 ? y - top : 1 - y + top)
    if (share === 0) continue
    const [column, row] = [Math.min(last.x, left + dx) - rect.left, Math.min(last.y, top + dy) - rect.top]
    if (column < 0 || row < 0 || column >= rect.widthPx || row >= rect.heightPx) continue
    const k = row * rect.widthPx + column
    const weight = share * (alpha[k] ?? 0)
    red += weight * (color[3 * k] ?? 0)
    green += weight * (color[3 * k + 1] ?? 0)
    blue += weight * (color[3 * k + 2] ?? 0)
    sum += weight
  }
  out.alpha[to] = sum
  if (sum > 0) out.color.set([red / sum, green / sum, blue / sum], 3 * to)
}

/** The source pixels that the points of a map need. */
function rangeOf(xs: Float32Array, ys: Float32Array): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let k = 0; k < xs.length; k++) {
    const [x, y] = [xs[k] ?? NaN, ys[k] ?? NaN]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (!(left <= right && top <= bottom)) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const near = (value: number): number => Math.max(-1e6, Math.min(1e6, value))
  const edge = EDGE_PX + 1
  return rectOf(
    Math.floor(near(left)) - edge,
    Math.floor(near(top)) - edge,
    Math.ceil(near(right)) + edge,
    Math.ceil(near(bottom)) + edge,
  )
}

function ones({ widthPx, heightPx }: Rect): Float32Array {
  return new Float32Array(widthPx * heightPx).fill(1)
}
