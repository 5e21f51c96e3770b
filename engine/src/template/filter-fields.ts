import { BLUR_REACH } from '../effects/filter-artwork.ts'
import { MAX_EFFECT_PX } from './bundle-limits.ts'
import { number, object, type Parsed } from './field.ts'
import type { JsonNode } from './json-node.ts'
import { layer } from './layer-fields.ts'

// Filters of a frame, which change its artwork including its edges: how each is written in template.json.

const length = number(0, MAX_EFFECT_PX)

const motionBlur = object({
  length: length.describe('Length of the line, in scene pixels.'),
  angle: number(-360, 360).describe('In degrees, counter-clockwise from the right.'),
})

const sharpen = object({
  amount: number(0, 5).describe('How much of the difference to a blur is added.'),
  radius: length.describe('Standard deviation of that blur, in scene pixels.'),
  threshold: number(0, 255).default(0).describe('By how much the change is reduced, in levels of 255.'),
})

export const filterFields = {
  blur: length
    .default(0)
    .describe('Standard deviation, in scene pixels, of a Gaussian that the artwork is blurred by with its edges.'),
  motionBlur: motionBlur.optional().describe('Averages the artwork with its edges along a line, after `blur`.'),
  sharpen: sharpen.optional().describe('Sharpens the colours of the artwork, after the blurs.'),
  filterMask: layer('mask')
    .optional()
    .describe('8-bit grey: how much of the blurs and the sharpening is applied; outside it nothing.'),
}

type Filters = { readonly [Name in keyof typeof filterFields]: Parsed<(typeof filterFields)[Name]> }

/** A frame without filters. */
export const noFilters: Filters = { blur: 0, motionBlur: null, sharpen: null, filterMask: null }

const filterNames = ['blur', 'motion_blur', 'sharpen']

export function hasFilters({ blur, motionBlur, sharpen }: Filters): boolean {
  return blur > 0 || motionBlur !== null || sharpen !== null
}

/** How far filters extend beyond a frame's edges, in scene pixels. */
export function reachOfFilters({ blur, motionBlur }: Filters): number {
  return BLUR_REACH * blur + (motionBlur?.length ?? 0) / 2
}

/** `frame`: in template.json. */
export function checkFilters(frame: JsonNode): void {
  const used = filterNames.map(name => frame.child(name)).filter(({ isAbsent, value }) => !isAbsent && value !== 0)
  if (!frame.child('lighting').isAbsent) for (const node of used) node.fault('none in a frame with lighting')
  const mask = frame.child('filter_mask')
  if (used.length > 0 || mask.isAbsent) return
  mask.warn(`one of ${filterNames.join(', ')} beside it, without which it is not used,`, 'none')
}
