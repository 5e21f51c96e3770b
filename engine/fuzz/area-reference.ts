import type { DecodedJpeg } from '../src/decoding/jpeg/jpeg-decoder.ts'

/**
 * The mean of the area that each sample of a picture at `eighths`/8 covers, as RGB, not rounded. Of the last
 * samples only the part inside the picture counts. `full` is the picture at full size, RGBA.
 */
export function areaMeans(full: DecodedJpeg, eighths: number): Float32Array {
  const widthPx = Math.ceil((full.widthPx * eighths) / 8)
  const heightPx = Math.ceil((full.heightPx * eighths) / 8)
  const columns = weights(full.widthPx, widthPx, eighths)
  const rows = weights(full.heightPx, heightPx, eighths)
  const means = new Float32Array(widthPx * heightPx * 3)
  const line = new Float64Array(full.widthPx * 3)
  let at = 0
  for (const vertical of rows) {
    line.fill(0)
    for (const [y, weight] of vertical) {
      let from = y * full.widthPx * 4
      for (let x = 0; x < line.length; x += 3, from += 4) {
        line[x] = (line[x] ?? 0) + weight * (full.data[from] ?? 0)
        line[x + 1] = (line[x + 1] ?? 0) + weight * (full.data[from + 1] ?? 0)
        line[x + 2] = (line[x + 2] ?? 0) + weight * (full.data[from + 2] ?? 0)
      }
    }
    for (const horizontal of columns) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (const [x, weight] of horizontal) sum += weight * (line[x * 3 + channel] ?? 0)
        means[at++] = sum
      }
    }
  }
  return means
}

/** For each sample the pixels under it, and how much of it each is. */
function weights(
  fullPx: number,
  reducedPx: number,
  eighths: number,
): (readonly (readonly [at: number, weight: number])[])[] {
  return Array.from({ length: reducedPx }, (_, i) => {
    const from = (i * 8) / eighths
    const end = Math.min(fullPx, ((i + 1) * 8) / eighths)
    const under: [number, number][] = []
    for (let at = Math.floor(from); at < end; at++)
      under.push([at, (Math.min(end, at + 1) - Math.max(from, at)) / (end - from)])
    return under
  })
}

/** Mean square difference of an RGB or RGBA picture's samples to `means`. */
export function meanSquare(data: Uint8Array, channels: 3 | 4, means: Float32Array): number {
  let sum = 0
  for (let i = 0, from = 0; i < means.length; i += 3, from += channels) {
    for (let channel = 0; channel < 3; channel++) sum += ((data[from + channel] ?? 0) - (means[i + channel] ?? 0)) ** 2
  }
  return sum / means.length
}

/** Peak signal-to-noise ratio in decibels; 99 for equal pictures. */
export function decibels(square: number): number {
  return square === 0 ? 99 : Math.min(99, 10 * Math.log10(255 ** 2 / square))
}
