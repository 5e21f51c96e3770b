/** The lightness of a photo in a frame, and what it means for the frame's blending mode. */
import type { Quad } from './quad.ts'

/** Modes that darken artwork with the photo: it is invisible in black parts. */
const darkening: readonly string[] = ['multiply', 'darken', 'darker-color', 'color-burn', 'linear-burn']
/** Modes that lighten artwork with the photo: it is invisible in white parts. */
const lightening: readonly string[] = ['screen', 'lighten', 'lighter-color', 'color-dodge', 'linear-dodge']
/** Mean of the display values, 0 to 1. Black cloth and screens that are off lie below, grey walls above. */
const DARK_BELOW = 0.25
const LIGHT_ABOVE = 0.85
/** The number of samples along each side of a frame. */
const SAMPLES = 16

type Pixels = { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }

/**
 * Mean of the display values (sRGB, 0 to 1) inside a quad. `scale`: pixels of the picture per pixel of the
 * quad's coordinates. Null if no part of the quad lies on the picture.
 */
export function meanLightIn({ data, width, height }: Pixels, quad: Quad, scale: number): number | null {
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = quad
  let sum = 0
  let count = 0
  for (let row = 0; row < SAMPLES; row++)
    for (let column = 0; column < SAMPLES; column++) {
      const [u, v] = [(column + 0.5) / SAMPLES, (row + 0.5) / SAMPLES]
      const mix = (a: number, b: number, c: number, d: number) =>
        Math.floor((a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v) * scale)
      const [x, y] = [mix(ax, bx, cx, dx), mix(ay, by, cy, dy)]
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const at = (y * width + x) * 4
      sum += 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
      count++
    }
  return count === 0 ? null : sum / count / 255
}

/** Why artwork in this mode will be hardly visible on a part of this lightness, or null. */
export function remarkOnLight(light: number, blendingMode: string): 'too dark' | 'too light' | null {
  if (light < DARK_BELOW && darkening.includes(blendingMode)) return 'too dark'
  return light > LIGHT_ABOVE && lightening.includes(blendingMode) ? 'too light' : null
}
