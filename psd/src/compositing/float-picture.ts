import { intersectRects, type Rect } from '@vitrine/engine'

/**
 * A part of the document in floats: RGB 0..1 as the document encodes it, not premultiplied, and alpha
 * 0..1; row-major. The colour where alpha is 0 has no meaning.
 */
export type FloatPicture = {
  readonly rect: Rect
  readonly color: Float32Array
  readonly alpha: Float32Array
}

export function createPicture(rect: Rect): FloatPicture {
  const count = rect.widthPx * rect.heightPx
  return { rect, color: new Float32Array(count * 3), alpha: new Float32Array(count) }
}

/** A picture of one colour (0..1) with the given alpha. */
export function fillPicture(
  rect: Rect,
  [r, g, b]: readonly [number, number, number],
  alpha: Float32Array,
): FloatPicture {
  const color = new Float32Array(alpha.length * 3)
  for (let i = 0; i < color.length; i += 3) {
    color[i] = r
    color[i + 1] = g
    color[i + 2] = b
  }
  return { rect, color, alpha }
}

/** A plane over another rectangle: `outside` where the plane has no values. */
export function cutPlane(plane: Float32Array, from: Rect, to: Rect, outside = 0): Float32Array {
  const out = new Float32Array(to.widthPx * to.heightPx)
  if (outside !== 0) out.fill(outside)
  const shared = intersectRects(from, to)
  for (let y = 0; y < shared.heightPx; y++) {
    const at = (shared.top + y - from.top) * from.widthPx + shared.left - from.left
    out.set(plane.subarray(at, at + shared.widthPx), (shared.top + y - to.top) * to.widthPx + shared.left - to.left)
  }
  return out
}

export function cutPicture(picture: FloatPicture, to: Rect): FloatPicture {
  const from = picture.rect
  const shared = intersectRects(from, to)
  const color = new Float32Array(to.widthPx * to.heightPx * 3)
  for (let y = 0; y < shared.heightPx; y++) {
    const at = ((shared.top + y - from.top) * from.widthPx + shared.left - from.left) * 3
    const into = ((shared.top + y - to.top) * to.widthPx + shared.left - to.left) * 3
    color.set(picture.color.subarray(at, at + shared.widthPx * 3), into)
  }
  return { rect: to, color, alpha: cutPlane(picture.alpha, from, to) }
}

/** 1 where there is anything, otherwise 0: the alpha that layers clipped to a picture blend with. */
export function anyAlpha(alpha: Float32Array): Float32Array {
  return alpha.map(value => (value > 0 ? 1 : 0))
}

export function copyPicture({ rect, color, alpha }: FloatPicture): FloatPicture {
  return { rect, color: color.slice(), alpha: alpha.slice() }
}

export function multiplyPlane(plane: Float32Array, by: Float32Array): void {
  for (let k = 0; k < plane.length; k++) plane[k] = (plane[k] ?? 0) * (by[k] ?? 0)
}

/** Mixes `before` into `after`, premultiplied; the share of `after` is `opacity` times `mask`. */
export function mixPictures(
  before: FloatPicture,
  after: FloatPicture,
  opacity: number,
  mask: Float32Array | null,
): void {
  for (let k = 0; k < after.alpha.length; k++) {
    const share = opacity * (mask ? (mask[k] ?? 0) : 1)
    if (share >= 1) continue
    const [a0, a1] = [before.alpha[k] ?? 0, after.alpha[k] ?? 0]
    const alpha = a0 + share * (a1 - a0)
    for (let i = 3 * k; i < 3 * k + 3; i++) {
      const sum = (1 - share) * (before.color[i] ?? 0) * a0 + share * (after.color[i] ?? 0) * a1
      after.color[i] = alpha > 0 ? sum / alpha : 0
    }
    after.alpha[k] = alpha
  }
}
