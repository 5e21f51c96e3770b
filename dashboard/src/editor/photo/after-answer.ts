import type { DrawnPhoto, FrameLines } from './photo-messages.ts'

export type PhotoPicture = {
  /** The newest picture; null: none yet. */
  readonly picture: ImageData | null
  readonly frames: readonly FrameLines[]
  /** Whether it is what was drawn last, as exact as the screen shows. */
  readonly isExact: boolean
  /** What to do before the drawing makes a template; null: nothing. */
  readonly refusal: string | null
  /** #rrggbb: what the product that may be dyed has in the photo; null: there is none, or not yet. */
  readonly productColor: string | null
}

/** What is shown after a worker's answer or refusal. An exact one is of the newest drawing. */
export function afterAnswer(before: PhotoPicture, answer: DrawnPhoto | Error, isExact: boolean): PhotoPicture {
  // What is drawn while handles move may come later than the exact picture, of an older drawing too.
  if (before.isExact && !isExact) return before
  if (answer instanceof Error) return { ...before, isExact, refusal: answer.message }
  return { ...answer, isExact, refusal: null }
}
