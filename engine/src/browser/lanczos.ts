/** Reduces pictures with Lanczos3, as the service does, in plain TypeScript. Never enlarges. */
import { lanczos3 } from '../sampling/lanczos3.ts'

/** Per output position: the first input position and the weights from there, which sum to 1. */
type Contributions = { readonly first: Int32Array; readonly weights: Float32Array; readonly taps: number }

type Samples = {
  readonly data: Uint8Array | Uint8ClampedArray
  readonly widthPx: number
  readonly heightPx: number
  readonly channels: number
}

/**
 * Boxes of whole pixels reduce first, leaving at least this factor to Lanczos: they are much faster and
 * soften by less than 5 %.
 */
const LEAST_LANCZOS_FACTOR = 3

/** `extent` is the input's length, less than `inputSize` if the last position is partly covered. */
function contributionsOf(inputSize: number, extent: number, outputSize: number): Contributions {
  const scale = extent / outputSize
  const taps = Math.min(inputSize, Math.ceil(3 * scale * 2) + 1)
  const first = new Int32Array(outputSize)
  const weights = new Float32Array(outputSize * taps)
  for (let i = 0; i < outputSize; i++) {
    const centre = (i + 0.5) * scale
    const begin = Math.max(0, Math.min(inputSize - taps, Math.ceil(centre - 3 * scale - 0.5)))
    first[i] = begin
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const weight = lanczos3((begin + tap + 0.5 - centre) / scale)
      weights[i * taps + tap] = weight
      sum += weight
    }
    for (let tap = 0; tap < taps; tap++) weights[i * taps + tap] = (weights[i * taps + tap] ?? 0) / sum
  }
  return { first, weights, taps }
}

/** Means of boxes of `across` x `down` samples; boxes at the right and bottom edge may be smaller. */
function shrinkWithBoxes({ data, widthPx, heightPx, channels }: Samples, across: number, down: number): Samples {
  const [outWidthPx, outHeightPx] = [Math.ceil(widthPx / across), Math.ceil(heightPx / down)]
  const output = new Uint8Array(outWidthPx * outHeightPx * channels)
  const sums = new Uint32Array(outWidthPx * channels)
  for (let outY = 0; outY < outHeightPx; outY++) {
    sums.fill(0)
    const rows = Math.min(down, heightPx - outY * down)
    for (let row = 0; row < rows; row++) {
      let at = (outY * down + row) * widthPx * channels
      for (let outX = 0; outX < outWidthPx; outX++) {
        const columns = Math.min(across, widthPx - outX * across)
        for (let column = 0; column < columns; column++)
          for (let c = 0; c < channels; c++)
            sums[outX * channels + c] = (sums[outX * channels + c] ?? 0) + (data[at++] ?? 0)
      }
    }
    for (let outX = 0; outX < outWidthPx; outX++) {
      const count = rows * Math.min(across, widthPx - outX * across)
      for (let c = 0; c < channels; c++)
        output[(outY * outWidthPx + outX) * channels + c] = ((sums[outX * channels + c] ?? 0) + (count >> 1)) / count
    }
  }
  return { data: output, widthPx: outWidthPx, heightPx: outHeightPx, channels }
}

const boxFactor = (inputSize: number, outputSize: number): number =>
  Math.max(1, Math.floor(inputSize / outputSize / LEAST_LANCZOS_FACTOR))

/**
 * Resizes interleaved samples, straight alpha, 0..255. With `alphaChannel` (the last), the other channels are
 * weighted by it, so that the colour of transparent pixels never shows.
 */
export function resizeSamples(
  input: Samples,
  widthPx: number,
  heightPx: number,
  alphaChannel: number | null,
): Uint8Array {
  // Boxes would mix in the colour of transparent pixels.
  const across = alphaChannel === null ? boxFactor(input.widthPx, widthPx) : 1
  const down = alphaChannel === null ? boxFactor(input.heightPx, heightPx) : 1
  const { channels } = input
  const source = across > 1 || down > 1 ? shrinkWithBoxes(input, across, down) : input
  const columns = contributionsOf(source.widthPx, input.widthPx / across, widthPx)
  const rows = contributionsOf(source.heightPx, input.heightPx / down, heightPx)
  const sums = new Float32Array(widthPx * heightPx * channels)
  const sourceRow = new Float32Array(source.widthPx * channels)
  const narrowRow = new Float32Array(widthPx * channels)
  let firstOpen = 0
  for (let y = 0; y < source.heightPx; y++) {
    readRow(source, y, alphaChannel, sourceRow)
    if (channels === 3) narrowThree(sourceRow, columns, narrowRow)
    else narrow(sourceRow, columns, channels, narrowRow)
    while (firstOpen < heightPx && (rows.first[firstOpen] ?? 0) + rows.taps <= y) firstOpen++
    for (let outY = firstOpen; outY < heightPx && (rows.first[outY] ?? 0) <= y; outY++) {
      const weight = rows.weights[outY * rows.taps + y - (rows.first[outY] ?? 0)] ?? 0
      const to = outY * narrowRow.length
      for (let i = 0; i < narrowRow.length; i++) sums[to + i] = (sums[to + i] ?? 0) + weight * (narrowRow[i] ?? 0)
    }
  }
  return rounded(sums, channels, alphaChannel)
}

function readRow(
  { data, widthPx, channels }: Samples,
  y: number,
  alphaChannel: number | null,
  row: Float32Array,
): void {
  row.set(data.subarray(y * widthPx * channels, (y + 1) * widthPx * channels))
  if (alphaChannel === null) return
  for (let i = 0; i < row.length; i += channels) {
    const alpha = (row[i + alphaChannel] ?? 0) / 255
    for (let c = 0; c < alphaChannel; c++) row[i + c] = (row[i + c] ?? 0) * alpha
  }
}

function narrow(
  row: Float32Array,
  { first, weights, taps }: Contributions,
  channels: number,
  output: Float32Array,
): void {
  for (let x = 0; x < first.length; x++) {
    for (let c = 0; c < channels; c++) {
      let sum = 0
      let at = (first[x] ?? 0) * channels + c
      for (let tap = x * taps; tap < (x + 1) * taps; tap++, at += channels) sum += (weights[tap] ?? 0) * (row[at] ?? 0)
      output[x * channels + c] = sum
    }
  }
}

/** `narrow` for three channels, with the three sums side by side: this loop dominates a preview's time. */
function narrowThree(row: Float32Array, { first, weights, taps }: Contributions, output: Float32Array): void {
  for (let x = 0; x < first.length; x++) {
    let red = 0
    let green = 0
    let blue = 0
    let at = (first[x] ?? 0) * 3
    for (let tap = x * taps; tap < (x + 1) * taps; tap++) {
      const weight = weights[tap] ?? 0
      red += weight * (row[at] ?? 0)
      green += weight * (row[at + 1] ?? 0)
      blue += weight * (row[at + 2] ?? 0)
      at += 3
    }
    output[x * 3] = red
    output[x * 3 + 1] = green
    output[x * 3 + 2] = blue
  }
}

function rounded(sums: Float32Array, channels: number, alphaChannel: number | null): Uint8Array {
  const output = new Uint8Array(sums.length)
  for (let i = 0; i < sums.length; i += channels) {
    const alpha = alphaChannel === null ? 255 : Math.max(0, Math.min(255, sums[i + alphaChannel] ?? 0))
    for (let c = 0; c < channels; c++) {
      const isWeighted = alphaChannel !== null && c < alphaChannel
      const value = isWeighted ? (alpha > 0 ? ((sums[i + c] ?? 0) * 255) / alpha : 0) : (sums[i + c] ?? 0)
      output[i + c] = Math.max(0, Math.min(255, Math.round(value)))
    }
  }
  return output
}
