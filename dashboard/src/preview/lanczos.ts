/** Makes pictures smaller with Lanczos3, as the service does, in plain TypeScript. Nothing is ever enlarged by it. */

/** Per output position: the first input position and the weights from there, which sum to 1. */
type Contributions = { readonly first: Int32Array; readonly weights: Float32Array; readonly taps: number }

function sinc(x: number): number {
  const t = Math.PI * x
  return t === 0 ? 1 : Math.sin(t) / t
}

const lanczos3 = (x: number): number => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)

function contributionsOf(inputSize: number, outputSize: number): Contributions {
  const scale = inputSize / outputSize
  const [radius, stretch] = [3, scale]
  const taps = Math.min(inputSize, Math.ceil(radius * stretch * 2) + 1)
  const first = new Int32Array(outputSize)
  const weights = new Float32Array(outputSize * taps)
  for (let i = 0; i < outputSize; i++) {
    const centre = (i + 0.5) * scale
    const begin = Math.max(0, Math.min(inputSize - taps, Math.ceil(centre - radius * stretch - 0.5)))
    first[i] = begin
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const weight = lanczos3((begin + tap + 0.5 - centre) / stretch)
      weights[i * taps + tap] = weight
      sum += weight
    }
    for (let tap = 0; tap < taps; tap++) weights[i * taps + tap] = (weights[i * taps + tap] ?? 0) / sum
  }
  return { first, weights, taps }
}

/**
 * Resizes interleaved samples. With `alphaChannel` the other channels are weighted by it, so that the colour of clear pixels
 * never shows; input and output are straight. Values stay within 0..255.
 */
export function resizeSamples(
  input: Uint8Array | Uint8ClampedArray,
  inputWidthPx: number,
  inputHeightPx: number,
  channels: number,
  widthPx: number,
  heightPx: number,
  alphaChannel: number | null,
): Uint8Array {
  const source = Float32Array.from(input)
  if (alphaChannel !== null) {
    for (let i = 0; i < source.length; i += channels) {
      const alpha = (source[i + alphaChannel] ?? 0) / 255
      for (let c = 0; c < alphaChannel; c++) source[i + c] = (source[i + c] ?? 0) * alpha
    }
  }
  const across = contributionsOf(inputWidthPx, widthPx)
  const narrow = new Float32Array(widthPx * inputHeightPx * channels)
  for (let y = 0; y < inputHeightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const from = (y * inputWidthPx + (across.first[x] ?? 0)) * channels
      const to = (y * widthPx + x) * channels
      for (let tap = 0; tap < across.taps; tap++) {
        const weight = across.weights[x * across.taps + tap] ?? 0
        for (let c = 0; c < channels; c++)
          narrow[to + c] = (narrow[to + c] ?? 0) + weight * (source[from + tap * channels + c] ?? 0)
      }
    }
  }
  const down = contributionsOf(inputHeightPx, heightPx)
  const row = new Float32Array(widthPx * channels)
  const output = new Uint8Array(widthPx * heightPx * channels)
  for (let y = 0; y < heightPx; y++) {
    row.fill(0)
    for (let tap = 0; tap < down.taps; tap++) {
      const weight = down.weights[y * down.taps + tap] ?? 0
      const from = ((down.first[y] ?? 0) + tap) * widthPx * channels
      for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) + weight * (narrow[from + i] ?? 0)
    }
    for (let i = 0; i < row.length; i += channels) {
      const alpha = alphaChannel === null ? 255 : Math.max(0, Math.min(255, row[i + alphaChannel] ?? 0))
      for (let c = 0; c < channels; c++) {
        const value =
          alphaChannel !== null && c < alphaChannel
            ? alpha > 0
              ? ((row[i + c] ?? 0) * 255) / alpha
              : 0
            : (row[i + c] ?? 0)
        output[y * row.length + i + c] = Math.max(0, Math.min(255, Math.round(value)))
      }
    }
  }
  return output
}
