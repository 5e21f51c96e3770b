/** The choices and ranges of a placement's fields, without schemas, for small programs. */

/** `fit`: size before scale. `flip`: before the rotation. `repeat`: whether copies fill the frame. */
export const placementChoices = {
  fit: ['cover', 'contain', 'stretch'],
  flip: ['none', 'horizontal', 'vertical', 'both'],
  repeat: ['none', 'tile', 'mirror'],
} as const

/** `perUnit`: steps per unit, to which values set by the pointer are rounded. */
export const placementRanges = {
  scale: { least: 0.05, greatest: 20, perUnit: 1000 },
  rotation: { least: -360, greatest: 360, perUnit: 10 },
  x: { least: -2, greatest: 3, perUnit: 10_000 },
  y: { least: -2, greatest: 3, perUnit: 10_000 },
} as const
