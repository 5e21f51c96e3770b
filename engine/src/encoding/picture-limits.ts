import type { OpaquePixmap } from '../pixmap.ts'

/** Greatest side, from JPEG's 16-bit sizes and libjpeg's own limit. */
export const MAX_SIDE_PX = 65500

/** Greatest area: in the worst case, every bit position of a stream still fits 32 bits. */
export const MAX_PICTURE_PX = 64 * 1024 * 1024

/** Throws RangeError unless the size is within the encoders' limits and the data has the right length. */
export function assertEncodable(picture: OpaquePixmap): void {
  const { widthPx, heightPx, data } = picture
  for (const side of [widthPx, heightPx]) {
    if (!Number.isInteger(side) || side < 1 || side > MAX_SIDE_PX) {
      throw new RangeError(`Expected a whole number from 1 to ${MAX_SIDE_PX} for a picture's side but received ${side}`)
    }
  }
  if (widthPx * heightPx > MAX_PICTURE_PX) {
    throw new RangeError(`Expected at most ${MAX_PICTURE_PX} pixels but received ${widthPx} x ${heightPx}`)
  }
  if (data.length !== 3 * widthPx * heightPx) {
    throw new RangeError(
      `Expected ${3 * widthPx * heightPx} bytes for ${widthPx} x ${heightPx} RGB but received ${data.length}`,
    )
  }
}

type Size = { readonly widthPx: number; readonly heightPx: number }

/** Throws RangeError unless a mockup has the size of its scene. */
export function assertSameSize(picture: Size, scene: Size): void {
  if (picture.widthPx !== scene.widthPx || picture.heightPx !== scene.heightPx) {
    throw new RangeError(
      `Expected a picture of ${scene.widthPx} x ${scene.heightPx} but received ${picture.widthPx} x ${picture.heightPx}`,
    )
  }
}
