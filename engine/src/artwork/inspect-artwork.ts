import { unsupportedFile } from './artwork-error.ts'
import type { ArtworkFacts, ContainerFacts } from './artwork-facts.ts'
import { assertWithinLimits } from './assert-within-limits.ts'
import { ByteView } from './byte-view.ts'
import { swapsSides } from './exif-orientation.ts'
import { findArtworkType } from './find-artwork-type.ts'
import { walkGif } from './walk-gif.ts'
import { walkJpeg } from './walk-jpeg.ts'
import { walkPng } from './walk-png.ts'
import { walkWebp } from './walk-webp.ts'

/**
 * What a picture is, from its bytes alone, and whether it is safe to decode. The content decides the type.
 * Allocates nothing by declared sizes. Throws only ArtworkError.
 */
export function inspectArtwork(bytes: Uint8Array): ArtworkFacts {
  const facts = walkContainer(bytes)
  assertWithinLimits(facts)
  const isTurned = swapsSides(facts.orientation)
  // Not spread: `bytesToDecode` is a getter, which joins the bytes on demand.
  return Object.assign(facts, {
    widthPx: isTurned ? facts.storedHeightPx : facts.storedWidthPx,
    heightPx: isTurned ? facts.storedWidthPx : facts.storedHeightPx,
  })
}

function walkContainer(bytes: Uint8Array): ContainerFacts {
  const type = findArtworkType(bytes)
  if (type === null) throw unsupportedFile(bytes)
  return walks[type](new ByteView(bytes))
}

const walks = { jpeg: walkJpeg, png: walkPng, gif: walkGif, webp: walkWebp }
