import type { DecodedArtwork } from '../codec.ts'
import { type ArtworkPart, ROUNDING_PX } from '../geometry/artwork-placement.ts'

/** A part of a picture in pixels. Right and bottom are exclusive. */
export type Part = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

/** The pixels that contain a part of a picture of `width` x `height` pixels. */
export function findPart(shown: ArtworkPart, width: number, height: number): Part {
  return {
    left: Math.max(0, Math.floor(shown.left * width - ROUNDING_PX)),
    top: Math.max(0, Math.floor(shown.top * height - ROUNDING_PX)),
    right: Math.min(Math.ceil(width), Math.ceil((shown.left + shown.width) * width + ROUNDING_PX)),
    bottom: Math.min(Math.ceil(height), Math.ceil((shown.top + shown.height) * height + ROUNDING_PX)),
  }
}

/** Whether these pixels contain all of that part of the source (null: everything). */
export function coversPart({ widthPx, heightPx, extent }: DecodedArtwork, shown: ArtworkPart | null): boolean {
  const { left, top, width, height } = shown ?? { left: 0, top: 0, width: 1, height: 1 }
  const x = extent.left + left * extent.width
  const y = extent.top + top * extent.height
  return (
    Math.min(x, y) >= -ROUNDING_PX &&
    x + width * extent.width <= widthPx + ROUNDING_PX &&
    y + height * extent.height <= heightPx + ROUNDING_PX
  )
}
