import { isSameRect, type Rect } from '../geometry/rect.ts'

/** The pixels of a part of a picture; the same array if the part is all of it. */
export function cropPixels<Data extends Uint8Array | Uint16Array>(
  data: Data,
  channelCount: number,
  from: Rect,
  to: Rect,
): Data {
  if (isSameRect(from, to)) return data
  const { left, top, widthPx, heightPx } = to
  const length = widthPx * heightPx * channelCount
  // The same kind of array, which TypeScript cannot infer.
  const cropped = (data instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length)) as Data
  for (let y = 0; y < heightPx; y++) {
    const first = ((top + y - from.top) * from.widthPx + left - from.left) * channelCount
    cropped.set(data.subarray(first, first + widthPx * channelCount), y * widthPx * channelCount)
  }
  return cropped
}
