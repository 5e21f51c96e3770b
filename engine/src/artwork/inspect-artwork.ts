import { ArtworkError } from './artwork-error.ts'
import type { ArtworkFacts, ContainerFacts } from './artwork-facts.ts'
import { assertWithinLimits } from './assert-within-limits.ts'
import { ByteView } from './byte-view.ts'
import { swapsSides } from './exif-orientation.ts'
import { walkGif } from './walk-gif.ts'
import { walkJpeg } from './walk-jpeg.ts'
import { walkPng } from './walk-png.ts'
import { walkWebp } from './walk-webp.ts'

/**
 * What a picture is, from its bytes alone, and whether it is safe to decode. Content decides the type.
 * Allocates nothing from declared sizes. Throws ArtworkError only.
 */
export function inspectArtwork(bytes: Uint8Array): ArtworkFacts {
  const facts = walkContainer(bytes)
  assertWithinLimits(facts)
  const isTurned = swapsSides(facts.orientation)
  // Not spread: the bytes to decode are a getter, which joins them when they are asked for.
  return Object.assign(facts, {
    widthPx: isTurned ? facts.storedHeightPx : facts.storedWidthPx,
    heightPx: isTurned ? facts.storedWidthPx : facts.storedHeightPx,
  })
}

function walkContainer(bytes: Uint8Array): ContainerFacts {
  if (bytes.byteLength === 0) throw new ArtworkError('empty', 'Expected a picture but received an empty file.')
  const view = new ByteView(bytes)
  if (view.has(0, '\xff\xd8\xff')) return walkJpeg(view)
  if (view.has(0, '\x89PNG\r\n\x1a\n')) return walkPng(view)
  if (view.has(0, 'GIF87a') || view.has(0, 'GIF89a')) return walkGif(view)
  if (view.has(0, 'RIFF') && view.has(8, 'WEBP')) return walkWebp(view)
  throw new ArtworkError(
    'unsupported_type',
    'Expected a JPEG, PNG, WebP or GIF picture but received another type of file.',
  )
}
