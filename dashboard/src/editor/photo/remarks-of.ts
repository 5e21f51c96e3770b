/** Warnings about a template from a photo, with reasons. */
import type { PhotoReport } from '@vitrine/photo'
import { formatCount } from '../../format.ts'
import type { PhotoDraft } from './photo-draft.ts'

/** The usual width of a shop's picture. */
const PHOTO_WIDTH_MIN_PX = 2000

/** `report`: that of the bundle made from exactly this draft; null: none yet. */
export function remarksOf(
  { widthPx, frames }: Pick<PhotoDraft, 'widthPx' | 'frames'>,
  report: PhotoReport | null,
): string[] {
  const remarks: string[] = []
  if (widthPx < PHOTO_WIDTH_MIN_PX)
    remarks.push(
      `The photo is ${formatCount(widthPx)} pixels wide: larger mockups look soft. Use one of 2,000 or more.`,
    )
  if (report === null) return remarks
  if (report.widthPx < widthPx)
    remarks.push(
      `The template was made at ${formatCount(report.widthPx)} pixels: at the photo's size it would take too long to draw.`,
    )
  for (const [index, { doubts }] of report.frames.entries())
    for (const { sentence } of doubts) remarks.push(frames.length > 1 ? `Frame ${index + 1}: ${sentence}` : sentence)
  for (const { sentence } of report.productDoubts) remarks.push(sentence)
  return remarks
}
