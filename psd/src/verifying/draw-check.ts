import {
  type BundleStore,
  type ContentPlacement,
  composeMockup,
  type DecodedArtwork,
  type FrameKernel,
  GREATEST_WIDTH_PX,
  type ImageCodec,
  type OpaquePixmap,
  parseTemplate,
  prepareTemplate,
  type StraightPixmap,
} from '@vitrine/engine'
import { DESCRIPTION_FILE } from '../bundle/write-bundle.ts'
import { placedSize } from '../geometry/compose-placements.ts'
import { reduceLikePhotoshop } from './reduce-picture.ts'

/** Content that would be reduced by less is left to the engine's own filter. */
const LEAST_REDUCTION = 1.15

/** A transparent picture for a frame whose content is unknown. */
const clearPicture: StraightPixmap = { alpha: 'straight', widthPx: 1, heightPx: 1, data: new Uint8Array(4) }

/** Draws a bundle with a picture for each frame, as mockups are drawn; null: a transparent one. */
type DrawCheck = (contents: readonly (StraightPixmap | null)[]) => OpaquePixmap

/** Prepares a bundle for its check. `documentWidthPx`: the file's, which may be wider than the scene. */
export async function prepareCheck(
  bundle: Pick<BundleStore, 'read'>,
  placements: readonly ContentPlacement[],
  sceneWidthPx: number,
  documentWidthPx: number,
  codec: ImageCodec,
  kernel: FrameKernel | null,
): Promise<DrawCheck> {
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await bundle.read(DESCRIPTION_FILE))))
  // A scene that is wider than mockups is reduced by a whole factor, so that the reduction is even.
  const checkWidthPx = Math.round(sceneWidthPx / Math.ceil(sceneWidthPx / GREATEST_WIDTH_PX))
  const prepared = await prepareTemplate(template, bundle, checkWidthPx, codec, kernel)
  // Photoshop reduced content to the document, from which a smaller scene was made.
  const scale = (prepared.widthPx / sceneWidthPx) * (documentWidthPx / sceneWidthPx)
  return contents => {
    const artworks = placements.map((placement, index) => {
      const content = contents[index]
      return content ? asDecoded(fitToFrame(content, placement, scale), content) : asDecoded(clearPicture, clearPicture)
    })
    return composeMockup(prepared, artworks, kernel)
  }
}

/** Content reduced to about the size that it has in the picture. */
function fitToFrame(content: StraightPixmap, placement: ContentPlacement, scale: number): StraightPixmap {
  const { widthPx, heightPx } = placedSize(placement)
  const [wantedWidth, wantedHeight] = [widthPx * scale, heightPx * scale]
  return reduceLikePhotoshop(
    content,
    content.widthPx / wantedWidth > LEAST_REDUCTION ? wantedWidth : content.widthPx,
    content.heightPx / wantedHeight > LEAST_REDUCTION ? wantedHeight : content.heightPx,
  )
}

/** `source`: the picture before it was reduced, whose aspect ratio decides how it lies in its frame. */
function asDecoded(picture: StraightPixmap, source: StraightPixmap): DecodedArtwork {
  const { widthPx, heightPx, data } = picture
  let isOpaque = true
  for (let i = 3; i < data.length && isOpaque; i += 4) isOpaque = data[i] === 255
  return {
    ...picture,
    extent: { left: 0, top: 0, width: widthPx, height: heightPx },
    decodedBy: 'general',
    sourceWidthPx: source.widthPx,
    sourceHeightPx: source.heightPx,
    isOpaque,
  }
}
