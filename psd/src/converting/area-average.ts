import { type Rect, rectOf } from '@vitrine/engine'
import { createPicture, type FloatPicture } from '../compositing/float-picture.ts'
import { isEmpty, stripsOf } from '../rects.ts'

/** A size that a document is reduced to: pixels of the reduced one per pixel of the document, at most 1. */
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

/** Of a rectangle of the document the smallest reduced one that holds it. */
export function reduceRect({ left, top, widthPx, heightPx }: Rect, { scaleX, scaleY, reduced }: Reduction): Rect {
  return rectOf(
    Math.max(0, Math.floor(left * scaleX)),
    Math.max(0, Math.floor(top * scaleY)),
    Math.min(reduced.widthPx, Math.ceil((left + widthPx) * scaleX)),
    Math.min(reduced.heightPx, Math.ceil((top + heightPx) * scaleY)),
  )
}

/** A plane over a reduced rectangle: the mean of what `draw` has there, by area. */
export function averagePlane(draw: (rect: Rect) => Float32Array, rect: Rect, reduction: Reduction): Float32Array {
  const out = new Float32Array(rect.widthPx * rect.heightPx)
  for (const strip of reducedStrips(rect, reduction)) {
    const from = sourceOf(strip, reduction)
    const sums = out.subarray((strip.top - rect.top) * rect.widthPx)
    addAreas({ rect: from, plane: draw(from), step: 1, channel: 0 }, strip, reduction, sums, 1, 0)
  }
  return out
}

/** A picture over a reduced rectangle: colours weighted by their alpha, alpha the mean. */
export function averagePicture(draw: (rect: Rect) => FloatPicture, rect: Rect, reduction: Reduction): FloatPicture {
  const out = createPicture(rect)
  for (const strip of reducedStrips(rect, reduction)) {
    const picture = draw(sourceOf(strip, reduction))
    if (isEmpty(picture.rect)) continue
    const { color, alpha } = picture
    for (let k = 0; k < alpha.length; k++) {
      for (let i = 3 * k; i < 3 * k + 3; i++) color[i] = (color[i] ?? 0) * (alpha[k] ?? 0)
    }
    const first = (strip.top - rect.top) * rect.widthPx
    for (const channel of [0, 1, 2]) {
      const plane = { rect: picture.rect, plane: color, step: 3, channel }
      addAreas(plane, strip, reduction, out.color.subarray(3 * first), 3, channel)
    }
    const plane = { rect: picture.rect, plane: alpha, step: 1, channel: 0 }
    addAreas(plane, strip, reduction, out.alpha.subarray(first), 1, 0)
  }
  for (let k = 0; k < out.alpha.length; k++) {
    const alpha = out.alpha[k] ?? 0
    if (alpha > 0) for (let i = 3 * k; i < 3 * k + 3; i++) out.color[i] = (out.color[i] ?? 0) / alpha
  }
  return out
}

/** Strips of a reduced rectangle of which the document's pixels fit into memory. */
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

/** One channel of a plane over a rectangle of the document. */
type Channel = {
  readonly rect: Rect
  readonly plane: Float32Array
  readonly step: number
  readonly channel: number
}

/** Adds to each reduced pixel what the document's pixels have in it, by the share of it that each covers. */
function addAreas(
  { rect, plane, step, channel }: Channel,
  strip: Rect,
  { scaleX, scaleY }: Reduction,
  sums: Float32Array,
  toStep: number,
  toChannel: number,
): void {
  const columns = sharesOf(rect.left, rect.widthPx, scaleX, strip.left, strip.widthPx)
  const rows = sharesOf(rect.top, rect.heightPx, scaleY, strip.top, strip.heightPx)
  for (const row of rows) {
    const first = row.from * rect.widthPx
    const to = row.to * strip.widthPx
    for (const column of columns) {
      const at = (to + column.to) * toStep + toChannel
      const value = plane[(first + column.from) * step + channel] ?? 0
      sums[at] = (sums[at] ?? 0) + row.share * column.share * value
    }
  }
}

type Share = { readonly from: number; readonly to: number; readonly share: number }

/** Which pixels along an axis lie in which reduced ones, and how much of these they cover. */
function sharesOf(start: number, count: number, scale: number, toStart: number, toCount: number): Share[] {
  const shares: Share[] = []
  for (let from = 0; from < count; from++) {
    const [begin, end] = [(start + from) * scale, (start + from + 1) * scale]
    // At most two: pixels are not enlarged.
    for (let to = Math.floor(begin); to < end; to++) {
      const share = Math.min(end, to + 1) - Math.max(begin, to)
      if (share > 1e-9 && to >= toStart && to < toStart + toCount) shares.push({ from, to: to - toStart, share })
    }
  }
  return shares
}
