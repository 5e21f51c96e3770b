/** Output widths that the interface allows. Buffers of a row have the greatest. */
export const LEAST_WIDTH_PX = 1
export const GREATEST_WIDTH_PX = 4000

/** Of a template's `max_width`: mockups that are enlarged from less show it. */
export const LEAST_MAX_WIDTH_PX = 400
