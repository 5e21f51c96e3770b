import type { DrawnPhoto, FrameLines } from './photo-messages.ts'

export type PhotoPicture = {
  /** The newest picture; null: none yet. */
  readonly picture: ImageData | null
  readonly frames: readonly FrameLines[]
  /** Whether it shows the newest drawing, as exactly as the screen can. */
  readonly isExact: boolean
  /** What to do so that a template can be made from the drawing; null: nothing. */
  readonly refusal: string | null
  /** #rrggbb: the colour in the photo of the product that may be dyed; null if none, or not known yet. */
  readonly productColor: string | null
}

/** What is shown after a worker's answer or refusal. An exact answer is for the newest drawing. */
export function afterAnswer(before: PhotoPicture, answer: DrawnPhoto | Error, isExact: boolean): PhotoPicture {
  // Pictures drawn while handles move may arrive after the exact one, and be of an older drawing.
  if (before.isExact && !isExact) return before
  if (answer instanceof Error) return { ...before, isExact, refusal: answer.message }
  return { ...answer, isExact, refusal: null }
}
