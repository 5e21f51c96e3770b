/** Places a frame by the outline of a brushed product. */
import { knownProducts } from '@vitrine/photo'
import { announce } from '../../components/announcer.tsx'
import { type ChangePhoto, type PhotoDraft, type PhotoFrame, withFrame } from './photo-draft.ts'
import { isOtherProduct, proposalFailure } from './propose-points.ts'
import { atProposed, isUntouched, kindOfFrame, withoutMeasures } from './start-frames.ts'
import type { BrushedPicture } from './use-photo-picture.ts'

export async function proposeFrame(
  draft: PhotoDraft,
  frame: PhotoFrame,
  picture: BrushedPicture,
  onChange: ChangePhoto,
): Promise<void> {
  const { product, widthPx, heightPx } = draft
  if (product === null) return
  const kind = kindOfFrame(frame)
  const measures =
    frame.shape.kind === 'body' && frame.shape.measures !== null ? knownProducts[frame.shape.measures] : null
  const slenderness = measures && measures.height / measures.diameter
  const brushed = { strokes: product.strokes, widthPx, heightPx }
  // A bottle must not become a mug because a new frame begins with the measures of one.
  const free = slenderness !== null && isUntouched(frame, draft) ? await picture.propose(kind, null, brushed) : null
  if (free !== null && slenderness !== null && isOtherProduct(free, slenderness)) {
    onChange(before => withFrame(before, frame.id, one => atProposed(withoutMeasures(one), free)), crypto.randomUUID())
    announce('The frame lies on the product. Choose which product it is, if it is in the list: it is no mug.')
    return
  }
  const points = await picture.propose(kind, slenderness, brushed)
  if (points === null) {
    announce(proposalFailure(kind, slenderness))
    return
  }
  onChange(before => withFrame(before, frame.id, one => atProposed(one, points)), crypto.randomUUID())
  announce(kind === 'shirt' ? 'The frame lies where shirts are printed.' : 'The frame lies on the product.')
}
