import { type Rect, rectOf } from '@vitrine/engine'
import { createPicture, type FloatPicture } from '../compositing/float-picture.ts'
import { isEmpty, stripsOf } from '../rects.ts'

/** A reduction of a document: pixels of the reduced one per pixel of the document, at most 1. */
export type Reduction = {
  readonly document: Rect
  readonly reduced: Rect
  readonly scaleX: number
  readonly scaleY: number
}

/** The height keeps the ratio. Both rectangles begin at 0, 0. */
export function reductionTo(document: Rect, widthPx: number): Reduction {
  const heightPx = Math.max(1, Math.round((document.heightPx * widthPx) / document.widthPx))
  return {
    document,
    reduced: { left: 0, top: 0, widthPx, heightPx },
    scaleX: widthPx / document.widthPx,
    scaleY: heightPx / document.heightPx,
  }
}

/** The smallest reduced rectangle that contains a rectangle of the document. */
export function reduceRect({ left, top, widthPx, heightPx }: Rect, { scaleX, scaleY, reduced }: Reduction): Rect {
  return rectOf(
    Math.max(0, Math.floor(left * scaleX)),
    Math.max(0, Math.floor(top * scaleY)),
    Math.min(reduced.widthPx, Math.ceil((left + widthPx) * scaleX)),
    Math.min(reduced.heightPx, Math.ceil((top + heightPx) * scaleY)),
  )
}

/** A plane over a reduced rectangle: the means by area of what `draw` gives. */
export function averagePlane(draw: (rect: Rect) => Float32Array, rect: Rect, reduction: Reduction): Float32Array {
  const out = new Float32Array(rect.widthPx * rect.heightPx)
  for (const strip of reducedStrips(rect, reduction)) {
    const from = sourceOf(strip, reduction)
    const sums = out.subarray((strip.top - rect.top) * rect.widthPx)
    addPlane(from, draw(from), strip, reduction, sums)
  }
  return out
}

/** A picture over a reduced rectangle: colours weighted by their alpha, alpha the mean. */
export function averagePicture(draw: (rect: Rect) => FloatPicture, rect: Rect, reduction: Reduction): FloatPicture {
  const out = createPicture(rect)
  for (const strip of reducedStrips(rect, reduction)) {
    const picture = draw(sourceOf(strip, reduction))
    if (!isEmpty(picture.rect)) addPicture(picture, strip, reduction, out)
  }
  for (let k = 0; k < out.alpha.length; k++) {
    const alpha = out.alpha[k] ?? 0
    if (alpha > 0) for (let i = 3 * k; i < 3 * k + 3; i++) out.color[i] = (out.color[i] ?? 0) / alpha
  }
  return out
}

/** Adds the premultiplied colours and the alpha of a picture to those of a strip. */
function addPicture(
  { rect, color, alpha }: FloatPicture,
  strip: Rect,
  { scaleX, scaleY }: Reduction,
  out: FloatPicture,
): void {
  const columns = sharesOf(rect.left, rect.widthPx, scaleX, strip.left, strip.widthPx)
  const rows = sharesOf(rect.top, rect.heightPx, scaleY, strip.top, strip.heightPx)
  const [columnFrom, columnTo, columnShare] = [columns.from, columns.to, columns.share]
  const first = (strip.top - out.rect.top) * out.rect.widthPx + strip.left - out.rect.left
  for (let row = 0; row < rows.count; row++) {
    const source = (rows.from[row] ?? 0) * rect.widthPx
    const target = first + (rows.to[row] ?? 0) * out.rect.widthPx
    const rowShare = rows.share[row] ?? 0
    for (let column = 0; column < columns.count; column++) {
      const k = source + (columnFrom[column] ?? 0)
      const weight = (alpha[k] ?? 0) * rowShare * (columnShare[column] ?? 0)
      if (weight === 0) continue
      const to = target + (columnTo[column] ?? 0)
      out.alpha[to] = (out.alpha[to] ?? 0) + weight
      out.color[3 * to] = (out.color[3 * to] ?? 0) + weight * (color[3 * k] ?? 0)
      out.color[3 * to + 1] = (out.color[3 * to + 1] ?? 0) + weight * (color[3 * k + 1] ?? 0)
      out.color[3 * to + 2] = (out.color[3 * to + 2] ?? 0) + weight * (color[3 * k + 2] ?? 0)
    }
  }
}

/** Strips of a reduced rectangle, such that the document's pixels for one fit into memory. */
function* reducedStrips(rect: Rect, { scaleX, scaleY }: Reduction): Generator<Rect> {
  yield* stripsOf(rect, 1024 * 1024 * scaleX * scaleY, 1)
}

function sourceOf(strip: Rect, { document, scaleX, scaleY }: Reduction): Rect {
  return rectOf(
    Math.max(0, Math.floor(strip.left / scaleX)),
    Math.max(0, Math.floor(strip.top / scaleY)),
    Math.min(document.widthPx, Math.ceil((strip.left + strip.widthPx) / scaleX)),
    Math.min(document.heightPx, Math.ceil((strip.top + strip.heightPx) / scaleY)),
  )
}

/** Adds the document's pixels to each reduced pixel, weighted by the share of it that each covers. */
function addPlane(rect: Rect, plane: Float32Array, strip: Rect, { scaleX, scaleY }: Reduction, sums: Float32Array) {
  const columns = sharesOf(rect.left, rect.widthPx, scaleX, strip.left, strip.widthPx)
  const rows = sharesOf(rect.top, rect.heightPx, scaleY, strip.top, strip.heightPx)
  const [columnFrom, columnTo, columnShare] = [columns.from, columns.to, columns.share]
  for (let row = 0; row < rows.count; row++) {
    const source = (rows.from[row] ?? 0) * rect.widthPx
    const target = (rows.to[row] ?? 0) * strip.widthPx
    const rowShare = rows.share[row] ?? 0
    for (let column = 0; column < columns.count; column++) {
      const to = target + (columnTo[column] ?? 0)
      const value = plane[source + (columnFrom[column] ?? 0)] ?? 0
      sums[to] = (sums[to] ?? 0) + rowShare * (columnShare[column] ?? 0) * value
    }
  }
}

/** Which reduced pixels each pixel along an axis overlaps, and the shares of them that it covers. */
type Shares = {
  readonly count: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly share: Float64Array
}

function sharesOf(start: number, pixels: number, scale: number, toStart: number, toCount: number): Shares {
  // Each overlaps at most two, because pixels are not enlarged.
  const [from, to, share] = [new Int32Array(2 * pixels), new Int32Array(2 * pixels), new Float64Array(2 * pixels)]
  let count = 0
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [begin, end] = [(start + pixel) * scale, (start + pixel + 1) * scale]
    for (let target = Math.floor(begin); target < end; target++) {
      const part = Math.min(end, target + 1) - Math.max(begin, target)
      if (part <= 1e-9 || target < toStart || target >= toStart + toCount) continue
      from[count] = pixel
      to[count] = target - toStart
      share[count++] = part
    }
  }
  return { count, from, to, share }
}
