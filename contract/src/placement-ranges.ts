/** The ranges of a placement's numbers, without schemas, for small programs. */
export const placementRanges = {
  scale: { least: 0.05, greatest: 20 },
  rotation: { least: -360, greatest: 360 },
  x: { least: -2, greatest: 3 },
  y: { least: -2, greatest: 3 },
} as const
