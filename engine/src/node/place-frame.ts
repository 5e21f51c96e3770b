import type { Sharp } from 'sharp'
import type { ArtworkFacts, FrameRegion } from '../artwork/artwork-facts.ts'
import { sharp } from './hardened-sharp.ts'
import { openPicture } from './open-picture.ts'

/** The first frame of an animation on its canvas; what the frame does not cover is clear. */
export async function placeFrame(facts: ArtworkFacts, frame: FrameRegion): Promise<Sharp> {
  const { data, info } = await openPicture(facts)
    .toColourspace('srgb')
    .ensureAlpha()
    .extend({
      left: frame.leftPx,
      top: frame.topPx,
      right: facts.storedWidthPx - frame.leftPx - frame.widthPx,
      bottom: facts.storedHeightPx - frame.topPx - frame.heightPx,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}
