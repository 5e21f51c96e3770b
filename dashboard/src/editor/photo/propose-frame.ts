/** Places a frame by the outline of a brushed product. */
import { knownProducts } from '@vitrine/photo'
import { announce } from '../../components/announcer.tsx'
import { type ChangePhoto, type PhotoDraft, type PhotoFrame, withFrame } from './photo-draft.ts'
import { proposalFailure } from './propose-points.ts'
import { atProposed, kindOfFrame } from './start-frames.ts'
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
  const points = await picture.propose(kind, slenderness, { strokes: product.strokes, widthPx, heightPx })
  if (points === null) {
    announce(proposalFailure(kind, slenderness))
    return
  }
  onChange(before => withFrame(before, frame.id, one => atProposed(one, points)), crypto.randomUUID())
  announce(kind === 'shirt' ? 'The frame lies where shirts are printed.' : 'The frame lies on the product.')
}
