import { applyTone, invertTone, type Rect, type Tone } from '@vitrine/engine'
import type { DrawnFrame } from './drawing/drawing.ts'
import { findUnevenness, type Unevenness } from './find-marks.ts'
import { findRelief } from './find-relief.ts'
import type { ChosenTone } from './light/choose-tone.ts'
import { type FoundLight, lightness } from './light/surface-light.ts'
import type { SurfaceName } from './light/surfaces.ts'
import type { PhotoPixels } from './photo-pixels.ts'
import type { Doubt } from './photo-report.ts'
import type { SurfaceMap } from './surfaces/frame-surface.ts'

/** A greater share of clipped pixels in a frame is visible: brighter parts are lost there. */
const CLIPPED_SHARE = 0.02
const CLIPPED_BYTE = 254

/** Linear light below which most of a photo's signal is noise. */
const DARK_LIGHT = 0.012

/** In a smaller frame, most artwork cannot be recognised. */
const SMALL_SIDE_PX = 200

/** A colour lighter than this is printed with light ink no brighter than the photo already is. */
const LIGHT_COLOR = 128

// Of 86 shirts that people photographed, all 59 printed ones are over one of these, and 8 of 27 blank ones:
// most of those hang or are creased.
const MANY_COLORS = 0.4
const MANY_STEPS = 0.12
const printInOneColor = { levels: 0.77, apart: 0.5, steps: 0.05 } as const

// A bag that hangs has 0.07, a cushion and a shirt on a form over 0.2. Rendered shirts that lie flat have up
// to 0.04; of 13 that people photographed 5 have less than 0.05, 6 up to 0.09, and creased ones more.
const MUCH_RELIEF = 0.055

// How much of its light one step of a byte is in a product's weakest channel. Of 70 shirts that people
// photographed, those that look good in white, pink and red have at most 0.061, others over 0.07.
const MOST_STEP = 0.065

/** Less is rounded to byte 0. */
const LEAST_LIGHT = 1e-4

/** Doubts about the light and the size of a frame. */
export function doubtsOf(
  photo: PhotoPixels,
  rect: Rect,
  mask: Uint8Array,
  surface: SurfaceName,
  { color, mean }: FoundLight,
  { tone, isKnown: isToneKnown }: ChosenTone,
): Doubt[] {
  const doubts: Doubt[] = []
  const { data } = photo
  let [all, clipped] = [0, 0]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = ((rect.top + y) * photo.widthPx + rect.left) * 3
    for (let x = 0; x < rect.widthPx; x++, i++, at += 3) {
      if ((mask[i] ?? 0) < 128) continue
      all++
      const least = Math.min(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
      if (least >= CLIPPED_BYTE) clipped++
    }
  }
  if (clipped > all * CLIPPED_SHARE) {
    const share = Math.round((100 * clipped) / all)
    const sentence = `${share} % of the surface is clipped to white: light there is lost. Expose the photo darker.`
    doubts.push({ kind: 'clipped-light', sentence })
  }
  if (lightness(mean) < DARK_LIGHT) {
    doubts.push({
      kind: 'too-dark',
      sentence: 'The surface is nearly black in the photo: prints would show its noise.',
    })
  }
  if (Math.min(rect.widthPx, rect.heightPx) < SMALL_SIDE_PX) {
    const sentence = `The surface is ${rect.widthPx} x ${rect.heightPx} px in the photo: use a larger photo, or zoom in.`
    doubts.push({ kind: 'too-small', sentence })
  }
  if (!isToneKnown && Math.max(color.red, color.green, color.blue) < LIGHT_COLOR) {
    const sentence =
      'Nothing in the photo is bright, so that the tone curve of the camera is not known: look at white artwork.'
    doubts.push({ kind: 'tone-unknown', sentence })
  }
  const uneven = findUnevenness(photo, rect, mask, tone)
  const doubt = uneven && doubtOfMarks(uneven, surface)
  if (doubt) doubts.push(doubt)
  return doubts
}

/** What steps of light that are no print mean on each kind of surface, and what to do. */
const stepsOf: Readonly<Record<SurfaceName, string>> = {
  fabric:
    'The cloth has hard folds, or shines like satin: light follows them, the artwork does not. Smooth or iron it, ' +
    'and take the photo in soft light.',
  ceramic:
    'Sharp light and dark lie on the surface: it mirrors the room, or is clear glass or metal. What one sees in it ' +
    'is no light on a surface and stays on top of the artwork. Use a white or matt product, or softer light.',
  glass:
    'The glass mirrors something sharply, such as a window: it stays on top of the artwork. Take the photo from ' +
    'beside it, or without the glass.',
  paper:
    'The surface has many sharp edges: creases, shadows of a thing, or a pattern. They stay in the light of the ' +
    'artwork. Use plain paper, smooth and without sharp shadows.',
}

function doubtOfMarks({ colors, steps, levels, apart }: Unevenness, surface: SurfaceName): Doubt | null {
  if (colors > MANY_COLORS) {
    const sentence =
      'The surface has several colours: a print or pattern stays in the light of what is printed, and so does what ' +
      'the frame covers beside the product. Use a blank product, and a frame that ends on it.'
    return { kind: 'many-colors', sentence }
  }
  if (levels > printInOneColor.levels && apart > printInOneColor.apart && steps > printInOneColor.steps) {
    const sentence =
      'The surface is of two shades, as with a print in one colour or stripes: they stay in the light of what is ' +
      'printed. Use a blank product, or leave them out of the frame.'
    return { kind: 'two-shades', sentence }
  }
  return steps > MANY_STEPS ? { kind: 'many-edges', sentence: stepsOf[surface] } : null
}

/** Doubts about cloth with corners only: on a body, artwork lies far off between them. */
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
    'Light on the cloth is uneven. If it hangs, or is on a body or a form, four corners alone put artwork off ' +
    'between them: show the grid, and drag its points to where they belong. If it lies flat, all is well.'
  return [{ kind: 'needs-pins', sentence }]
}

/** Doubts about a product that is dyed: its light, and steps of bytes in it, are divided by its colour. */
export function doubtsOfDye({ mean }: FoundLight, tone: Tone): Doubt[] {
  const steps = mean.map(light => stepAt(Math.max(LEAST_LIGHT, light), tone))
  if (Math.max(...steps) <= MOST_STEP) return []
  const what = Math.min(...steps) > MOST_STEP ? 'nearly black in the photo' : 'of too strong a colour'
  const sentence =
    `The product is ${what}: in other colours, spots and blocks of the JPEG show on it. Photograph a white or light ` +
    'grey one, or do not dye it.'
  return [{ kind: 'hard-to-dye', sentence }]
}

/** The step of a byte at this light, as a share of it. */
function stepAt(light: number, tone: Tone): number {
  const value = applyTone(tone, light)
  return (invertTone(tone, value + 0.5 / 255) - invertTone(tone, value - 0.5 / 255)) / light
}
