import { layer } from './layer-fields.ts'

// The layers of light: their fields, their cost, and how they are mixed. The formula is `sendBack` of
// lighting/light-chunk.ts and of kernels/assembly/frame/light.ts, in this order.

/** Each is an RGB layer, sRGB-encoded. */
export const lightFields = {
  shade: layer('light').describe('Light that multiplies the colour of the surface.'),
  highlights: layer('light').optional().describe('Light that is added.'),
}

type LightTerm = {
  /** milliseconds of a core per megapixel of the output, measured by engine/bench/template-cost.ts */
  readonly drawnMs: number
  /** Linear light on a colour strictly between an area's default and its dark one, from theirs. */
  readonly mix: (light: number, dark: number, darkness: number) => number
}

/** Less light counts as this much, so that ratios stay finite even for very small darkness. */
const LEAST_LIGHT = 1e-4

export const lightTerms: { readonly [Term in keyof typeof lightFields]: LightTerm } = {
  shade: {
    drawnMs: 50,
    // A surface of albedo a that reflects a share k of its light back onto itself receives E / (1 - a k).
    mix: (light, dark, darkness) =>
      1 / ((1 - darkness) / Math.max(LEAST_LIGHT, light) + darkness / Math.max(LEAST_LIGHT, dark)),
  },
  highlights: {
    drawnMs: 15,
    // Reflections of the surface itself are proportional to its albedo.
    mix: (light, dark, darkness) => light + (dark - light) * darkness,
  },
}

// `Object.keys` does not preserve the names in its type.
export const lightTermNames = Object.keys(lightFields) as (keyof typeof lightFields)[]
