/** Output widths that the interface allows. Buffers of a row have the greatest. */
export const LEAST_WIDTH_PX = 1
export const GREATEST_WIDTH_PX = 4000
