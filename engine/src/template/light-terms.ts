import { layer } from './layer-fields.ts'

// The layers of light: what a description says of each, what it costs, and how it is mixed. Their formula
// is `sendBack` of lighting/light-chunk.ts and of kernels/assembly/frame/light.ts, in this order.

/** Each is an RGB layer, encoded. */
export const lightFields = {
  shade: layer('light').describe('Light that multiplies the colour of the surface.'),
  highlights: layer('light').optional().describe('Light that is added.'),
}

type LightTerm = {
  /** milliseconds of a core for a megapixel of the output, as engine/bench/template-cost.ts measures them */
  readonly drawnMs: number
  /**
   * Linear light on an area in a colour between its default and its dark one, of the light on those; strictly
   * between them.
   */
  readonly mix: (light: number, dark: number, darkness: number) => number
}

/** Less counts as this much: a quotient of no light would be none, however little darkness it has. */
const LEAST_LIGHT = 1e-4

export const lightTerms: { readonly [Term in keyof typeof lightFields]: LightTerm } = {
  shade: {
    drawnMs: 50,
    // A surface of albedo a that sends the share k of its light back to itself receives E / (1 - a k).
    mix: (light, dark, darkness) =>
      1 / ((1 - darkness) / Math.max(LEAST_LIGHT, light) + darkness / Math.max(LEAST_LIGHT, dark)),
  },
  highlights: {
    drawnMs: 15,
    // What a surface mirrors of itself is as bright as its albedo.
    mix: (light, dark, darkness) => light + (dark - light) * darkness,
  },
}

// The type of `Object.keys` knows no names.
export const lightTermNames = Object.keys(lightFields) as (keyof typeof lightFields)[]
