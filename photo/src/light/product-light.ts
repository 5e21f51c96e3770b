import { linearOf, type Rect, type RgbColor, readHexColor, type Tone } from '@vitrine/engine'
import type { Drawing } from '../drawing/drawing.ts'
import type { PlacedFrame } from '../masking/place-frames.ts'
import { productCoverage } from '../masking/product-coverage.ts'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import { type FoundLight, findSurfaceLight, isDarkLight, type SurfaceChoice } from './surface-light.ts'

/** What determines the light on a product: its colour in the photo, and its first frame's surface. */
export type ProductChoice = SurfaceChoice & { readonly color: RgbColor }

/** `colors`: those for which the light on each frame was found. */
export function chooseProduct(
  { product }: Drawing,
  frames: readonly PlacedFrame[],
  colors: readonly RgbColor[],
): ProductChoice | null {
  const on = Math.max(
    0,
    frames.findIndex(({ isOnProduct }) => isOnProduct),
  )
  const [first, ground] = [frames[on], colors[on]]
  if (product === null || !first || !ground) return null
  const { surface, gloss, brightness, cleans } = first.drawn
  const color = product.color === null ? ground : readHexColor(product.color)
  // A colour that is found has all light of the photo, as on the frame.
  const isFound = product.color === null && first.drawn.color === null
  return { surface, sheen: first.drawn.sheen ?? (isFound ? 0 : null), gloss, brightness, cleans, color }
}

/** How much of each pixel of a product's part is dyed, and the light on it. `taken`: the pixels of frames. */
export function findProductLight(
  photo: PhotoPixels,
  outline: Coverage,
  rect: Rect,
  taken: Uint8Array,
  tone: Tone,
  choice: ProductChoice,
): { readonly mask: Uint8Array; readonly light: FoundLight } {
  const { mask, ...masks } = productCoverage(outline, rect, taken, isDarkLight(linearOf(choice.color)))
  return { mask, light: findSurfaceLight(photo, rect, tone, choice, { ...masks, isContinued: true }, null, true) }
}
