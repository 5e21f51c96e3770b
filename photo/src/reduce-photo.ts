import type { ImageCodec } from '@vitrine/engine'
import { reduceCoverage } from './masking/reduce-coverage.ts'
import type { Outlines, PhotoPixels } from './photo-pixels.ts'

/** A photo and its outlines at a smaller size; unchanged if the caller cannot reduce photos. */
export async function reducePhoto(
  photo: PhotoPixels,
  outlines: Outlines,
  widthPx: number,
  heightPx: number,
  codec: Pick<ImageCodec, 'resize'> | undefined,
): Promise<{ photo: PhotoPixels; outlines: Outlines }> {
  if (!codec) return { photo, outlines }
  const { product, fronts } = outlines
  return {
    photo: await codec.resize({ alpha: 'opaque', ...photo }, widthPx, heightPx),
    outlines: {
      product: product && reduceCoverage(product, widthPx, heightPx),
      fronts: fronts.map(front => front && reduceCoverage(front, widthPx, heightPx)),
    },
  }
}
