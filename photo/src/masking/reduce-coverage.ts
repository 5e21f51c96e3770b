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
  const { data } = picture
  const columns = sharesOf(picture.widthPx, widthPx)
  const lines = sharesOf(picture.heightPx, heightPx)
  const rows = new Float32Array(widthPx * picture.heightPx)
  for (let y = 0, to = 0; y < picture.heightPx; y++) {
    const first = y * picture.widthPx * channels + channel
    for (const { from, shares } of columns) {
      let [sum, at] = [0, first + from * channels]
      for (let k = 0; k < shares.length; k++, at += channels) sum += (shares[k] ?? 0) * (data[at] ?? 0)
      rows[to++] = sum / (picture.widthPx / widthPx)
    }
  }
  const reduced = new Float32Array(widthPx * heightPx)
  const sums = new Float64Array(widthPx)
  for (const [line, { from, shares }] of lines.entries()) {
    sums.fill(0)
    for (const [k, share] of shares.entries()) {
      const first = (from + k) * widthPx
      for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) + share * (rows[first + x] ?? 0)
    }
    const first = line * widthPx
    for (let x = 0; x < widthPx; x++) reduced[first + x] = (sums[x] ?? 0) / (picture.heightPx / heightPx)
  }
  return reduced
}

/** For each of `to` values the ones of `from` that it is the mean of: the first, and how much of each. */
function sharesOf(from: number, to: number): { readonly from: number; readonly shares: Float64Array }[] {
  const scale = from / to
  return Array.from({ length: to }, (_, i) => {
    const [start, end] = [i * scale, (i + 1) * scale]
    const [first, after] = [Math.floor(start), Math.min(from, Math.ceil(end))]
    const shareOf = (k: number): number => Math.min(end, k + 1) - Math.max(start, k)
    return { from: first, shares: Float64Array.from({ length: after - first }, (_, k) => shareOf(first + k)) }
  })
}
