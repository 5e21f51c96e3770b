import { ArtworkError } from './artwork-error.ts'
import type { ContainerFacts } from './artwork-facts.ts'
import {
  MAX_DECODED_SIZE_BYTES,
  MAX_PIXELS,
  MAX_PLACED_PIXELS,
  MAX_PROGRESSIVE_SIZE_BYTES,
  MAX_SIDE_PX,
} from './limits.ts'

type Extent = Pick<
  ContainerFacts,
  'storedWidthPx' | 'storedHeightPx' | 'channels' | 'bitsPerChannel' | 'isProgressive' | 'frame'
>

/** Throws ArtworkError `too_many_pixels` if the header declares more memory than the limits allow. */
export function assertWithinLimits(extent: Extent): void {
  const { storedWidthPx, storedHeightPx, channels, bitsPerChannel } = extent
  const received = `${storedWidthPx} x ${storedHeightPx}`
  const pixels = storedWidthPx * storedHeightPx
  if (storedWidthPx > MAX_SIDE_PX || storedHeightPx > MAX_SIDE_PX) {
    throw tooManyPixels(`sides of at most ${MAX_SIDE_PX} px`, received)
  }
  if (pixels > MAX_PIXELS) throw tooManyPixels('at most 100 megapixels', received)
  const sizeBytes = pixels * channels * (bitsPerChannel / 8)
  if (sizeBytes > MAX_DECODED_SIZE_BYTES) throw tooManyPixels('at most 512 MiB of pixels', received)
  if (extent.isProgressive && sizeBytes > MAX_PROGRESSIVE_SIZE_BYTES) {
    throw tooManyPixels('at most 256 MiB of pixels in an interlaced or progressive picture', received)
  }
  if (extent.frame !== null && pixels > MAX_PLACED_PIXELS) {
    throw tooManyPixels('at most 25 megapixels where a frame covers a part of its canvas', received)
  }
}

function tooManyPixels(expected: string, received: string): ArtworkError {
  return new ArtworkError('too_many_pixels', `Expected ${expected} in the picture but received ${received} px.`)
}
