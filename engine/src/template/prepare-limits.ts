/** Output widths that the interface allows. Buffers of a row have the greatest. */
export const LEAST_WIDTH_PX = 1
export const GREATEST_WIDTH_PX = 4000

/** Of clear parts of a dyed frame, linear: a default that is too dark would give any light. */
export const GREATEST_SURFACE_LIGHT = 2
