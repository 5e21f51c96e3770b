import type { Coverage } from '../photo-pixels.ts'

/** A coverage for a smaller photo: means by area. */
export function reduceCoverage(coverage: Coverage, widthPx: number, heightPx: number): Coverage {
  const means = reducePlane(coverage, 1, 0, widthPx, heightPx)
  return { widthPx, heightPx, data: Uint8Array.from(means, value => Math.round(value)) }
}

/** One of the `channels` of a picture's pixels at a smaller size: means by area, of bytes. */
export function reducePlane(
  picture: { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array },
  channels: number,
  channel: number,
  widthPx: number,
  heightPx: number,
): Float32Array {
  const along = { stride: picture.widthPx * channels, step: channels, toStride: widthPx, toStep: 1 }
  const values = picture.data.subarray(channel)
  const rows = averageAlong(values, picture.widthPx, widthPx, picture.heightPx, along)
  return averageAlong(rows, picture.heightPx, heightPx, widthPx, {
    stride: 1,
    step: widthPx,
    toStride: 1,
    toStep: widthPx,
  })
}

/** Where lines begin and how far apart their values lie, before and after. */
type Lines = {
  readonly stride: number
  readonly step: number
  readonly toStride: number
  readonly toStep: number
}

/** Lines of `from` values become lines of `to`. */
function averageAlong(
  plane: Uint8Array | Float32Array,
  from: number,
  to: number,
  lines: number,
  { stride, step, toStride, toStep }: Lines,
): Float32Array {
  const reduced = new Float32Array(lines * to)
  const scale = from / to
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < to; i++) {
      const [start, end] = [i * scale, (i + 1) * scale]
      let sum = 0
      for (let k = Math.floor(start); k < end && k < from; k++) {
        const share = Math.min(end, k + 1) - Math.max(start, k)
        sum += share * (plane[line * stride + k * step] ?? 0)
      }
      reduced[line * toStride + i * toStep] = sum / scale
    }
  }
  return reduced
}
