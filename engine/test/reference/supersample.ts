import type { StraightPixmap } from '../../src/pixmap.ts'

/**
 * Where a point of the scene (continuous pixels) lies on the artwork (0..1 each), or null beside the frame.
 * Writes u, v into `out`.
 */
export type PointMap = (x: number, y: number, out: Float64Array) => boolean

/** RGB in floats, 0..255 encoded, with the share of each pixel that the frame covers. */
export type Truth = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Float32Array
  readonly covered: Float32Array
}

/**
 * The picture as it ought to be: every pixel the mean of `samplesPerAxis` squared points of the scene, each
 * either the background or the artwork's full-resolution pixels between which it lies (linear; where it
 * `repeats`, across its edges too). Pixels that
 * the frame covers in part are the mean of `edgeSamplesPerAxis` squared points: their share of it needs more.
 * Slow and simple on purpose: it shares no code with the renderer.
 */
export function supersample(
  artwork: StraightPixmap,
  map: PointMap,
  widthPx: number,
  heightPx: number,
  background: readonly [number, number, number],
  samplesPerAxis: number,
  edgeSamplesPerAxis: number = samplesPerAxis,
  repeats = false,
): Truth {
  const data = new Float32Array(widthPx * heightPx * 3)
  const covered = new Float32Array(widthPx * heightPx)
  const at = new Float64Array(2)
  const { data: texels, widthPx: artWidth, heightPx: artHeight } = artwork
  const sums = new Float64Array(3)
  /** Sets the sums of its points inside, and returns how many they are. */
  const samplePixel = (x: number, y: number, perAxis: number): number => {
    let r = 0
    let g = 0
    let b = 0
    let hits = 0
    for (let sy = 0; sy < perAxis; sy++) {
      const py = y + (sy + 0.5) / perAxis
      for (let sx = 0; sx < perAxis; sx++) {
        if (!map(x + (sx + 0.5) / perAxis, py, at)) continue
        hits++
        let tx = (at[0] ?? 0) * artWidth - 0.5
        let ty = (at[1] ?? 0) * artHeight - 0.5
        if (!repeats) {
          tx = Math.max(0, Math.min(artWidth - 1, tx))
          ty = Math.max(0, Math.min(artHeight - 1, ty))
        }
        let x0 = Math.floor(tx)
        let y0 = Math.floor(ty)
        if (!repeats) {
          x0 = Math.min(artWidth - 2, x0)
          y0 = Math.min(artHeight - 2, y0)
        }
        const fx = tx - x0
        const fy = ty - y0
        // In a repeated artwork the last column is beside the first.
        x0 = (x0 + artWidth) % artWidth
        y0 = (y0 + artHeight) % artHeight
        const p = (y0 * artWidth + x0) * 4
        const q = (((y0 + 1) % artHeight) * artWidth + x0) * 4
        const right = x0 + 1 < artWidth ? 4 : 4 - artWidth * 4
        const w00 = (1 - fx) * (1 - fy)
        const w10 = fx * (1 - fy)
        const w01 = (1 - fx) * fy
        const w11 = fx * fy
        r +=
          (texels[p] ?? 0) * w00 +
          (texels[p + right] ?? 0) * w10 +
          (texels[q] ?? 0) * w01 +
          (texels[q + right] ?? 0) * w11
        g +=
          (texels[p + 1] ?? 0) * w00 +
          (texels[p + right + 1] ?? 0) * w10 +
          (texels[q + 1] ?? 0) * w01 +
          (texels[q + right + 1] ?? 0) * w11
        b +=
          (texels[p + 2] ?? 0) * w00 +
          (texels[p + right + 2] ?? 0) * w10 +
          (texels[q + 2] ?? 0) * w01 +
          (texels[q + right + 2] ?? 0) * w11
      }
    }
    sums[0] = r
    sums[1] = g
    sums[2] = b
    return hits
  }
  // Pixels more than two from every pixel whose centre is covered show the background alone.
  const isNear = new Uint8Array(widthPx * heightPx)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      if (!map(x + 0.5, y + 0.5, at)) continue
      for (let nearY = Math.max(0, y - 2); nearY <= Math.min(heightPx - 1, y + 2); nearY++) {
        isNear.fill(1, nearY * widthPx + Math.max(0, x - 2), nearY * widthPx + Math.min(widthPx, x + 3))
      }
    }
  }
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if (isNear[i] === 0) {
        data.set(background, 3 * i)
        continue
      }
      let total = samplesPerAxis * samplesPerAxis
      let hits = samplePixel(x, y, samplesPerAxis)
      if (hits > 0 && hits < total && edgeSamplesPerAxis !== samplesPerAxis) {
        total = edgeSamplesPerAxis * edgeSamplesPerAxis
        hits = samplePixel(x, y, edgeSamplesPerAxis)
      }
      const misses = total - hits
      for (let channel = 0; channel < 3; channel++)
        data[3 * i + channel] = ((sums[channel] ?? 0) + misses * (background[channel] ?? 0)) / total
      covered[i] = hits / total
    }
  }
  return { widthPx, heightPx, data, covered }
}
