/** The output widths that the interface allows; whole pixels. Everything per row is sized for the greatest. */
export const LEAST_WIDTH_PX = 1
export const GREATEST_WIDTH_PX = 4000
