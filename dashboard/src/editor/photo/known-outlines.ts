import {
  type Coverage,
  createOutliner,
  type Outliner,
  type PhotoPixels,
  type Stroke,
  scaleStrokes,
} from '@vitrine/photo'
import { roundedStroke } from './drawing-of-draft.ts'
import type { BrushedStrokes } from './photo-messages.ts'

/** The product and what is in front of each of eight frames, and some that were undone. */
const KNOWN_MAX = 16

/** Finds outlines in a photo, each once: moving a handle changes none, and a stroke only its own. */
export function createKnownOutlines(photo: PhotoPixels): Outliner {
  const outliner = createOutliner(photo)
  /** In the order of their last use. */
  const known = new Map<string, Coverage>()
  return {
    outline(strokes: readonly Stroke[]) {
      const of = JSON.stringify(strokes)
      const outline = known.get(of) ?? outliner.outline(strokes)
      known.delete(of)
      known.set(of, outline)
      const [oldest] = known.keys()
      if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest)
      return outline
    },
  }
}

/** The outline of strokes as their drawing will have them, for which it is then known. */
export function brushedOutline(
  photo: PhotoPixels,
  { strokes, widthPx, heightPx }: BrushedStrokes,
  { outline }: Outliner,
): Coverage {
  return outline(scaleStrokes(strokes.map(roundedStroke), photo.widthPx / widthPx, photo.heightPx / heightPx))
}
