import type { PhotoAnswer } from './photo-messages.ts'
import type { PhotoPicture } from './use-photo-picture.ts'

/** What is shown after a worker's answer. An exact one is of the newest drawing. */
export function afterAnswer(before: PhotoPicture, answer: PhotoAnswer, isExact: boolean): PhotoPicture {
  // What is drawn while handles move may come later than the exact picture, of an older drawing too.
  if (before.isExact && !isExact) return before
  if (answer.kind === 'refused') return { ...before, isExact, refusal: answer.message }
  if (answer.kind !== 'drawn') return before
  const { picture, frames, productColor } = answer
  return { picture, frames, productColor, isExact, refusal: null }
}
