/** Product colours as requests carry them: #rrggbb by area name, without areas in their default colour. */

export type ProductColors = Readonly<Record<string, string>>

export type Swatch = { readonly name: string; readonly value: string }

/** A colourable area of a product, from the list of templates or from a draft. */
export type SwatchArea = { readonly name: string; readonly default: string; readonly suggestions: readonly Swatch[] }

/** The swatches of an area, including the default colour. */
export function swatchesOf({ default: color, suggestions }: SwatchArea): readonly Swatch[] {
  const isSuggested = suggestions.some(({ value }) => value === color)
  return isSuggested ? suggestions : [{ name: 'Original colour', value: color }, ...suggestions]
}

/** The colour that an area is shown in. */
export const colorOf = (area: SwatchArea, colors: ProductColors): string => colors[area.name] ?? area.default

/** The colours with that of one area replaced. */
export function withColor(colors: ProductColors, area: SwatchArea, value: string): ProductColors {
  const others = Object.entries(colors).filter(([name]) => name !== area.name)
  const chosen = value.toLowerCase()
  return Object.fromEntries(chosen === area.default ? others : [...others, [area.name, chosen]])
}

export const hasColors = (colors: ProductColors): boolean => Object.keys(colors).length > 0
