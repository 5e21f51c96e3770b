import type { Rect, Tone } from '@vitrine/engine'
import type { DrawnFrame } from './drawing/drawing.ts'
import { findUnevenness } from './find-marks.ts'
import { findRelief } from './find-relief.ts'
import type { ChosenTone } from './light/choose-tone.ts'
import type { FoundLight } from './light/surface-light.ts'
import type { PhotoPixels } from './photo-pixels.ts'
import type { Doubt } from './photo-report.ts'
import type { SurfaceMap } from './surfaces/frame-surface.ts'

/** More clipped pixels than this share of a frame show: what was brighter there is lost. */
const CLIPPED_SHARE = 0.02
const CLIPPED_BYTE = 254

/** Linear light below which a photo's noise is most of what is left of it. */
const DARK_LIGHT = 0.012

/** A frame that is smaller shows nothing of most artwork. */
const SMALL_SIDE_PX = 200

/** A colour lighter than this is printed with light ink no brighter than the photo already is. */
const LIGHT_COLOR = 128

// Blank starters have up to 0.11 and 0.02, printed ones from 0.94 and 0.22 on.
const MANY_COLORS = 0.32
const MANY_STEPS = 0.07

// Shirts that lie flat have up to 0.04, a bag that hangs 0.07, a cushion and a shirt on a form over 0.2.
const MUCH_RELIEF = 0.055

/** What is doubtful about the light and the size of a frame. */
export function doubtsOf(
  photo: PhotoPixels,
  rect: Rect,
  mask: Uint8Array,
  { color, meanLight }: FoundLight,
  { tone, isKnown: isToneKnown }: ChosenTone,
): Doubt[] {
  const doubts: Doubt[] = []
  let [all, clipped] = [0, 0]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = ((rect.top + y) * photo.widthPx + rect.left) * 3
    for (let x = 0; x < rect.widthPx; x++, i++, at += 3) {
      if ((mask[i] ?? 0) < 128) continue
      all++
      const [red = 0, green = 0, blue = 0] = photo.data.subarray(at, at + 3)
      if (Math.min(red, green, blue) >= CLIPPED_BYTE) clipped++
    }
  }
  if (clipped > all * CLIPPED_SHARE) {
    const share = Math.round((100 * clipped) / all)
    const sentence = `${share} % of the surface is clipped to white: light there is lost. Expose the photo darker.`
    doubts.push({ kind: 'clipped-light', sentence })
  }
  if (meanLight < DARK_LIGHT) {
    doubts.push({
      kind: 'too-dark',
      sentence: 'The surface is nearly black in the photo: prints would show its noise.',
    })
  }
  if (Math.min(rect.widthPx, rect.heightPx) < SMALL_SIDE_PX) {
    const sentence = `The surface is ${rect.widthPx} x ${rect.heightPx} px in the photo: go nearer to the product.`
    doubts.push({ kind: 'too-small', sentence })
  }
  if (!isToneKnown && Math.max(color.red, color.green, color.blue) < LIGHT_COLOR) {
    const sentence =
      'Nothing in the photo is bright, so that the tone curve of the camera is not known: look at whites.'
    doubts.push({ kind: 'tone-unknown', sentence })
  }
  const uneven = findUnevenness(photo, rect, mask, tone)
  if (uneven && uneven.colors > MANY_COLORS) {
    const sentence =
      'The surface has several colours: a print or pattern on it stays in the light of what is printed. ' +
      'Use a blank product, or leave the print out of the frame.'
    doubts.push({ kind: 'many-colors', sentence })
  } else if (uneven && uneven.steps > MANY_STEPS) {
    const sentence =
      'The surface has many sharp edges: hard folds, a print in one colour, or what glass and satin mirror. ' +
      'Light follows them, the artwork does not.'
    doubts.push({ kind: 'many-edges', sentence })
  }
  return doubts
}

/** What is doubtful about cloth that has corners alone: on a body they put artwork far off between them. */
export function doubtsOfCloth(
  photo: PhotoPixels,
  drawn: DrawnFrame,
  map: SurfaceMap,
  mask: Uint8Array,
  tone: Tone,
): Doubt[] {
  if (drawn.kind !== 'cloth' || drawn.pins.length > 0 || drawn.bulge !== 0) return []
  const relief = findRelief(photo, map, mask, tone)
  if (relief === null || relief <= MUCH_RELIEF) return []
  const sentence =
    'Light on the cloth is uneven, as on a body, a form or a bag that hangs: four corners alone put artwork off ' +
    'between them. Set pins: show the grid, and drag its points to where they belong.'
  return [{ kind: 'needs-pins', sentence }]
}
