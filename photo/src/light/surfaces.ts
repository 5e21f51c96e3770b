/** What artwork is printed on. */
export type SurfaceName = 'fabric' | 'paper' | 'glass' | 'ceramic'

export type SurfaceLight = {
  /** the share of white diffuse light that it reflects broadly: Fresnel's share times the surroundings */
  readonly floor: number
  /** how much noise is removed, in its standard deviations; 0 removes none: a weave is not noise */
  readonly cleaning: number
  /** whether it reflects windows and lamps sharply if it is curved */
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

/** Below this colour, in linear light, more noise is removed: division by a dark colour amplifies it. */
export const DARK_LIGHT = 0.15
export const DARK_CLEANING = 6
