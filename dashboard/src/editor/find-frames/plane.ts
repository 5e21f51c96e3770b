/** One value per pixel: 0 to 255. */
export type Plane = { readonly values: Float32Array; readonly width: number; readonly height: number }

/** RGBA, display values; alpha is ignored. */
export type Pixels = { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }

/** Rec. 601 luma of display values, in which edges are found. */
const lightOf = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue
const colorfulnessOf = (red: number, green: number, blue: number): number =>
  Math.max(red, green, blue) - Math.min(red, green, blue)

const yellownessOf = (red: number, green: number, blue: number): number => (red + green) / 2 - blue

/** Lightness, at the picture's own size. */
export const lightPlane = (pixels: Pixels): Plane => planeOf(pixels, 1, lightOf)

/** By how much whites differ in hue, at the picture's own size. */
export const yellownessPlane = (pixels: Pixels): Plane => planeOf(pixels, 1, yellownessOf)

/** Lightness and colourfulness; each pixel is the mean of `factor` x `factor` of the picture. */
export const reducedPlanes = (pixels: Pixels, factor: number): readonly Plane[] => [
  planeOf(pixels, factor, lightOf),
  planeOf(pixels, factor, colorfulnessOf),
]

function planeOf(
  { data, width: fullWidth, height: fullHeight }: Pixels,
  factor: number,
  valueOf: (red: number, green: number, blue: number) => number,
): Plane {
  const [width, height] = [Math.floor(fullWidth / factor), Math.floor(fullHeight / factor)]
  const values = new Float32Array(width * height)
  for (let y = 0; y < height * factor; y++) {
    const row = Math.floor(y / factor) * width
    for (let x = 0; x < width * factor; x++) {
      const at = (y * fullWidth + x) * 4
      const place = row + Math.floor(x / factor)
      values[place] = (values[place] ?? 0) + valueOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
    }
  }
  const share = 1 / factor ** 2
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) * share
  return { values, width, height }
}

/** Linear between pixels, constant beyond the border. The centre of the first pixel is at 0.5, 0.5. */
export function valueAt({ values, width, height }: Plane, x: number, y: number): number {
  const [left, top] = [Math.min(width - 1, Math.max(0, x - 0.5)), Math.min(height - 1, Math.max(0, y - 0.5))]
  const [x0, y0] = [Math.floor(left), Math.floor(top)]
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)]
  const [u, v] = [left - x0, top - y0]
  const at = (column: number, row: number) => values[row * width + column] ?? 0
  return (at(x0, y0) * (1 - u) + at(x1, y0) * u) * (1 - v) + (at(x0, y1) * (1 - u) + at(x1, y1) * u) * v
}
