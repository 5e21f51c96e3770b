/** How much of an artwork stands out from the product it is printed on. */

/** RGB, without alpha. */
type Pixels = Uint8Array | Uint8ClampedArray

/** Where black and white ink differ by less, of 255, the artwork only grazes the pixel or is hidden. */
const COVERED_DIFFERENCE = 24
/** Contrast ratio as WCAG defines it; with less, a shape is lost. */
const CONTRAST_MIN = 1.5
/** Colours of similar luminance differ if a channel, relative to green, differs by at least this, of 255. */
const HUE_DIFFERENCE = 60

/**
 * The share of an artwork's pixels that stand out; 1 if it covers no pixel. `bare`: the scene without
 * artwork; `black`, `white`: with the artwork's shape in black and in white.
 */
export function shownShare(bare: Pixels, chosen: Pixels, black: Pixels, white: Pixels): number {
  let covered = 0
  let visible = 0
  for (let i = 0; i + 2 < bare.length; i += 3) {
    if (Math.abs(byte(white, i + 1) - byte(black, i + 1)) < COVERED_DIFFERENCE) continue
    covered++
    if (standsOut(bare, chosen, i)) visible++
  }
  return covered === 0 ? 1 : visible / covered
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
