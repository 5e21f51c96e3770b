/** Output widths that the API allows. Row buffers have room for the greatest. */
export const LEAST_WIDTH_PX = 1
export const GREATEST_WIDTH_PX = 4000

/** The least `max_width` of a template: mockups enlarged from a smaller one are visibly blurred. */
export const LEAST_MAX_WIDTH_PX = 400
