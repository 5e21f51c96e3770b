/** What artwork is printed on. */
export type SurfaceName = 'fabric' | 'paper' | 'glass' | 'ceramic'

export type SurfaceLight = {
  /** share of white diffuse light that it mirrors broadly: Fresnel's part times the surroundings */
  readonly floor: number
  /** how much noise is cleaned away, in its standard deviations; 0 leaves all: a weave is no noise */
  readonly cleaning: number
  /** whether windows and lamps are mirrored sharply where it is curved */
  readonly isGlossy: boolean
}

// Found on path-traced scenes of the starters: docs/decisions/photos.md.
export const surfaces: Readonly<Record<SurfaceName, SurfaceLight>> = {
  fabric: { floor: 0.004, cleaning: 0, isGlossy: false },
  paper: { floor: 0.018, cleaning: 3, isGlossy: false },
  glass: { floor: 0.024, cleaning: 4, isGlossy: true },
  ceramic: { floor: 0.02, cleaning: 6, isGlossy: true },
}

export const surfaceNames = ['fabric', 'paper', 'glass', 'ceramic'] as const satisfies readonly SurfaceName[]

/** A darker colour, in linear light, is cleaned more: dividing by it makes its noise that of white. */
export const DARK_LIGHT = 0.15
export const DARK_CLEANING = 6
