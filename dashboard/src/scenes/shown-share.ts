/** How much of an artwork stands out from what it is printed on. */

/** Pixels of a picture without transparency, RGB. */
type Pixels = Uint8Array | Uint8ClampedArray

/** What black and white ink differ by where artwork covers a pixel, of 255; less is an edge, or hidden. */
const COVERED_DIFFERENCE = 24
/** Of luminance, as WCAG counts it: below it a shape is lost. */
const CONTRAST_MIN = 1.5
/** Two colours of one luminance differ where their channels, without it, do by as much, of 255. */
const HUE_DIFFERENCE = 60

/**
 * The share of an artwork's pixels that stand out. `bare`: the scene without it; `black`, `white`: with its
 * shape in these. 1 where nothing of it is seen, since nobody can tell.
 */
export function shownShare(bare: Pixels, chosen: Pixels, black: Pixels, white: Pixels): number {
  let covered = 0
  let standing = 0
  for (let i = 0; i + 2 < bare.length; i += 3) {
    if (Math.abs(byte(white, i + 1) - byte(black, i + 1)) < COVERED_DIFFERENCE) continue
    covered++
    if (standsOut(bare, chosen, i)) standing++
  }
  return covered === 0 ? 1 : standing / covered
}

const byte = (pixels: Pixels, index: number): number => pixels[index] ?? 0

function standsOut(bare: Pixels, chosen: Pixels, i: number): boolean {
  const [one, other] = [luminance(bare, i), luminance(chosen, i)]
  if ((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= CONTRAST_MIN) return true
  const hue = (pixels: Pixels, channel: 0 | 2): number => byte(pixels, i + channel) - byte(pixels, i + 1)
  return (
    Math.abs(hue(bare, 0) - hue(chosen, 0)) >= HUE_DIFFERENCE ||
    Math.abs(hue(bare, 2) - hue(chosen, 2)) >= HUE_DIFFERENCE
  )
}

function luminance(pixels: Pixels, i: number): number {
  const linear = (channel: number): number => (byte(pixels, i + channel) / 255) ** 2.2
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
}
