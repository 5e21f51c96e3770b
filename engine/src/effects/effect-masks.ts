import { distanceToSet } from '../geometry/distance-to-set.ts'

// How effects are derived from a shape: shadows and glows are a soft mask (spread grows the shape, a
// separable tent blurs it), strokes are bands of distance. Measured on Photoshop by the Patchy project (MIT).

/** How much of each pixel a shape covers, 0..1, row by row. */
export type Shape = { readonly widthPx: number; readonly heightPx: number; readonly alpha: Float32Array }

export type Softness = {
  /** pixels by which the shape grows */
  readonly spread: number
  /** radius of the tent, in pixels; up to 1 there is no blur */
  readonly blur: number
  /** multiplies the blurred shape, which is clamped to 1 */
  readonly gain: number
}

/** An effect derived from a shape; lengths in pixels. */
export type ShapedEffect =
  | ({ readonly kind: 'shadow'; readonly showsThrough: boolean } & Soft)
  | ({ readonly kind: 'inner-shadow'; readonly fromCenter: boolean } & Soft)
  | { readonly kind: 'overlay' }
  | { readonly kind: 'stroke'; readonly outerPx: number; readonly innerPx: number }

/** `offset`: its displacement from the shape. */
type Soft = Softness & { readonly offset: readonly [x: number, y: number] }

/** Where an effect of a shape shows, 0..1, under the shape or within it; null: wherever the shape does. */
export type EffectPart = { readonly place: 'below' | 'inside'; readonly mask: Float32Array | null }

/**
 * The parts of an effect, each drawn by itself. Those inside are drawn on the shape's colours, and its alpha
 * counts for them; `opacity` is how much the shape hides of those below.
 */
export function partsOfEffect(effect: ShapedEffect, shape: Shape, opacity: number): readonly EffectPart[] {
  switch (effect.kind) {
    case 'overlay':
      return [{ place: 'inside', mask: null }]
    case 'shadow': {
      const soft = softenShape(shape, effect, ...effect.offset)
      if (!effect.showsThrough)
        for (let k = 0; k < soft.length; k++) soft[k] = (soft[k] ?? 0) * (1 - (shape.alpha[k] ?? 0))
      return [{ place: 'below', mask: soft }]
    }
    case 'inner-shadow': {
      const soft = softenShape(invertShape(shape), effect, ...effect.offset)
      if (effect.fromCenter) for (let k = 0; k < soft.length; k++) soft[k] = 1 - (soft[k] ?? 0)
      return [{ place: 'inside', mask: soft }]
    }
    default: {
      const { outerPx, innerPx } = effect
      const parts: EffectPart[] = []
      if (outerPx > 0) parts.push({ place: 'below', mask: strokeOutside(shape, outerPx, opacity) })
      if (innerPx > 0) parts.push({ place: 'inside', mask: strokeInside(shape, innerPx) })
      return parts
    }
  }
}

/** Grows, blurs and moves a shape. Beyond its bounds, its edge pixels repeat. */
export function softenShape(shape: Shape, { spread, blur, gain }: Softness, dx: number, dy: number): Float32Array {
  const grown = growShape(shape, spread)
  const soft = blur > 1 ? blurTent({ ...shape, alpha: grown }, blur) : grown
  const out = moveShape({ ...shape, alpha: soft }, dx, dy)
  if (gain !== 1) for (let k = 0; k < out.length; k++) out[k] = Math.min(1, (out[k] ?? 0) * gain)
  return out
}

/** The complement of a shape. */
export function invertShape({ alpha, ...size }: Shape): Shape {
  const inverted = new Float32Array(alpha.length)
  for (let k = 0; k < alpha.length; k++) inverted[k] = 1 - (alpha[k] ?? 0)
  return { ...size, alpha: inverted }
}

/**
 * Covers what lies within a radius of pixels that are covered by more than half. Of each row, spans around
 * the nearest such pixel of each column are covered; only pixels along their ends need the exact distance.
 */
function growShape(shape: Shape, radius: number): Float32Array {
  const { widthPx, alpha } = shape
  if (radius <= 0) return alpha
  const limit = radius + 0.5
  const far = Math.ceil(limit) + 1
  const grown = alpha.slice()
  const box = findCovered(shape, far)
  if (!box) return grown
  const { left, top, right, bottom } = box
  const rowPx = right - left
  const above = new Uint16Array(rowPx * (bottom - top))
  for (let y = top, k = 0; y < bottom; y++) {
    for (let x = left; x < right; x++, k++) {
      const next = y === top ? far : (above[k - rowPx] ?? 0) + 1
      above[k] = (alpha[y * widthPx + x] ?? 0) > 0.5 ? 0 : Math.min(far, next)
    }
  }
  const [whole, any] = [halfSpans(radius - 0.51, far), halfSpans(limit, far)]
  const below = new Uint16Array(rowPx).fill(far)
  const along = new Uint16Array(rowPx)
  const fromLeft = new Uint8Array(rowPx)
  for (let y = bottom - 1; y >= top; y--) {
    const first = (y - top) * rowPx
    const to = y * widthPx + left
    let [wholeTo, anyTo] = [-1, -1]
    for (let x = 0; x < rowPx; x++) {
      const up = above[first + x] ?? 0
      const down = up === 0 ? 0 : Math.min(far, (below[x] ?? 0) + 1)
      const nearest = Math.min(up, down)
      below[x] = down
      along[x] = nearest
      wholeTo = Math.max(wholeTo, x + (whole[nearest] ?? 0))
      anyTo = Math.max(anyTo, x + (any[nearest] ?? 0))
      fromLeft[x] = x <= wholeTo ? WHOLE : x <= anyTo ? ANY : 0
    }
    let [wholeFrom, anyFrom] = [rowPx, rowPx]
    for (let x = rowPx - 1; x >= 0; x--) {
      const nearest = along[x] ?? 0
      wholeFrom = Math.min(wholeFrom, x - (whole[nearest] ?? 0))
      anyFrom = Math.min(anyFrom, x - (any[nearest] ?? 0))
      if (fromLeft[x] === WHOLE || x >= wholeFrom) grown[to + x] = 1
      else if (fromLeft[x] === ANY || x >= anyFrom)
        grown[to + x] = Math.max(grown[to + x] ?? 0, coverAt(x, along, limit))
    }
  }
  return grown
}

/** The box of all pixels that are covered by more than half, with a margin; null if there are none. */
function findCovered({ widthPx, heightPx, alpha }: Shape, margin: number) {
  let [left, top, right, bottom] = [widthPx, heightPx, 0, 0]
  for (let y = 0, k = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, k++) {
      if ((alpha[k] ?? 0) <= 0.5) continue
      if (x < left) left = x
      if (x >= right) right = x + 1
      if (y < top) top = y
      bottom = y + 1
    }
  }
  if (bottom === 0) return null
  return {
    left: Math.max(0, left - margin),
    top: Math.max(0, top - margin),
    right: Math.min(widthPx, right + margin),
    bottom: Math.min(heightPx, bottom + margin),
  }
}

const WHOLE = 2
const ANY = 1

/** Half the length of the span of a disc at each distance from its centre; below 0 beyond its radius. */
function halfSpans(radius: number, count: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, away) =>
    away <= radius ? Math.floor(Math.sqrt(radius * radius - away * away)) : -0x4000_0000,
  )
}

/** How much a disc of half a pixel more than the radius covers of a pixel, from the distances in its row. */
function coverAt(x: number, along: Uint16Array, limit: number): number {
  const end = Math.min(along.length - 1, Math.floor(x + limit))
  let least = Infinity
  for (let other = Math.max(0, Math.ceil(x - limit)); other <= end; other++) {
    const away = along[other] ?? 0
    least = Math.min(least, (other - x) * (other - x) + away * away)
  }
  // Rounded as distances are stored.
  return least <= limit * limit ? clamp(limit - Math.fround(Math.sqrt(least))) : 0
}

/** A tent is the convolution of two boxes, one looking back and one ahead. */
export function blurTent({ widthPx, heightPx, alpha }: Shape, reach: number): Float32Array {
  const out = new Float32Array(alpha.length)
  blurAcross(alpha, out, widthPx, heightPx, reach)
  blurDown(out, widthPx, heightPx, reach)
  return out
}

function blurAcross(from: Float32Array, to: Float32Array, widthPx: number, heightPx: number, reach: number): void {
  const whole = Math.floor(reach)
  const rest = reach - whole
  const before = whole + 1
  // Values before and after the row, so that windows stay inside.
  const padded = new Float64Array(widthPx + 2 * before)
  const boxed = new Float64Array(widthPx + before)
  for (let y = 0; y < heightPx; y++) {
    const start = y * widthPx
    if (isEmptyRow(from, start, widthPx)) continue
    for (let x = 0; x < widthPx; x++) padded[before + x] = from[start + x] ?? 0
    padded.fill(padded[before] ?? 0, 0, before)
    padded.fill(padded[before + widthPx - 1] ?? 0, before + widthPx)
    let sum = whole * (padded[0] ?? 0)
    for (let x = 0; x < boxed.length; x++) {
      const left = padded[before + x - whole] ?? 0
      sum += (padded[before + x] ?? 0) - left
      boxed[x] = (sum + rest * left) / reach
    }
    sum = 0
    for (let k = 0; k < whole; k++) sum += boxed[k] ?? 0
    for (let x = 0; x < widthPx; x++) {
      const next = boxed[x + whole] ?? 0
      to[start + x] = (sum + rest * next) / reach
      sum += next - (boxed[x] ?? 0)
    }
  }
}

/** Whether a row is 0 everywhere, as around every shape. */
function isEmptyRow(plane: Float32Array, start: number, widthPx: number): boolean {
  for (let k = start; k < start + widthPx; k++) if (plane[k] !== 0) return false
  return true
}

/** The same for columns, in place: row by row, with a sum for each column. */
function blurDown(plane: Float32Array, widthPx: number, heightPx: number, reach: number): void {
  const whole = Math.floor(reach)
  const rest = reach - whole
  const rows = heightPx + whole
  const boxed = new Float32Array(rows * widthPx)
  const sums = new Float64Array(widthPx)
  const row = (y: number): number => Math.min(heightPx - 1, Math.max(0, y)) * widthPx
  for (let x = 0; x < widthPx; x++) sums[x] = whole * (plane[x] ?? 0)
  for (let y = 0, k = 0; y < rows; y++) {
    const [entering, leaving] = [row(y), row(y - whole)]
    for (let x = 0; x < widthPx; x++, k++) {
      const left = plane[leaving + x] ?? 0
      const sum = (sums[x] ?? 0) + (plane[entering + x] ?? 0) - left
      sums[x] = sum
      boxed[k] = (sum + rest * left) / reach
    }
  }
  sums.fill(0)
  for (let k = 0; k < whole * widthPx; k++) sums[k % widthPx] = (sums[k % widthPx] ?? 0) + (boxed[k] ?? 0)
  for (let y = 0, k = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, k++) {
      const next = boxed[k + whole * widthPx] ?? 0
      const sum = sums[x] ?? 0
      plane[k] = Math.min(1, Math.max(0, (sum + rest * next) / reach))
      sums[x] = sum + next - (boxed[k] ?? 0)
    }
  }
}

/** Interpolates linearly between pixels. Always returns a new plane. */
function moveShape({ widthPx, heightPx, alpha }: Shape, dx: number, dy: number): Float32Array {
  if (dx === 0 && dy === 0) return alpha.slice()
  const out = new Float32Array(alpha.length)
  const [wholeX, wholeY] = [Math.floor(-dx), Math.floor(-dy)]
  const [shareX, shareY] = [-dx - wholeX, -dy - wholeY]
  const lefts = Int32Array.from({ length: widthPx + 1 }, (_, x) => Math.min(widthPx - 1, Math.max(0, x + wholeX)))
  const row = (y: number): number => Math.min(heightPx - 1, Math.max(0, y)) * widthPx
  for (let y = 0, k = 0; y < heightPx; y++) {
    const [above, below] = [row(y + wholeY), row(y + wholeY + 1)]
    for (let x = 0; x < widthPx; x++, k++) {
      const [left, right] = [lefts[x] ?? 0, lefts[x + 1] ?? 0]
      const upper = (1 - shareX) * (alpha[above + left] ?? 0) + shareX * (alpha[above + right] ?? 0)
      const lower = (1 - shareX) * (alpha[below + left] ?? 0) + shareX * (alpha[below + right] ?? 0)
      out[k] = (1 - shareY) * upper + shareY * lower
    }
  }
  return out
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share))

/**
 * A band of so many pixels around a shape. It ends as soft as the shape does, and goes on under half covered
 * pixels, where it gives with the shape over it what no ground shows through.
 */
function strokeOutside({ widthPx, heightPx, alpha }: Shape, width: number, opacity: number): Float32Array {
  const nearest = new Int32Array(alpha.length)
  const band = distanceToSet(k => (alpha[k] ?? 0) > 0, widthPx, heightPx, width + 1, nearest)
  for (let k = 0; k < band.length; k++) {
    const [away, covered] = [band[k] ?? 0, alpha[k] ?? 0]
    if (away > 0) band[k] = clamp(width + (alpha[nearest[k] ?? 0] ?? 0) - away)
    else band[k] = covered < 1 ? (1 - covered) / (1 - covered * opacity) : 0
  }
  return band
}

/** A band of so many pixels within a shape, whose alpha counts besides. */
function strokeInside({ widthPx, heightPx, alpha }: Shape, width: number): Float32Array {
  const band = distanceToSet(k => (alpha[k] ?? 0) <= 0, widthPx, heightPx, width + 1)
  for (let k = 0; k < band.length; k++) band[k] = clamp(width + 1 - (band[k] ?? 0))
  return band
}
