/** A trapezoid over byte values: 0 below the first and above the last, 1 from the second to the third. */
export type Range = readonly [number, number, number, number]

/** Ranges of colours, as in Photoshop's Blend If: each given range weights by its channel's value. */
export type ColorRanges = {
  readonly gray: Range | null
  readonly red: Range | null
  readonly green: Range | null
  readonly blue: Range | null
}

/** Ranges prepared for drawing. `weights`: 0..1 for each byte of grey, then of red, green and blue. */
export type PreparedRanges = { readonly ranges: ColorRanges; readonly weights: Float32Array }

export function prepareRanges(ranges: ColorRanges | null): PreparedRanges | null {
  return ranges && { ranges, weights: tableOfRanges(ranges) }
}

/** The given ranges as template.json writes them. */
export function describeRanges(where: ColorRanges | null): { readonly where?: Readonly<Record<string, Range>> } {
  if (!where) return {}
  const given = Object.entries(where).flatMap(([channel, range]) => (range === null ? [] : [[channel, range] as const]))
  return { where: Object.fromEntries(given) }
}

function tableOfRanges({ gray, red, green, blue }: ColorRanges): Float32Array {
  const table = new Float32Array(4 * 256)
  for (const [channel, range] of [gray, red, green, blue].entries()) {
    for (let value = 0; value < 256; value++) table[channel * 256 + value] = range ? weightAt(range, value) : 1
  }
  return table
}

/** Both ends of a ramp have some weight, as in Photoshop (measured by the Patchy project, MIT). */
function weightAt([dark, darkEnd, lightStart, light]: Range, value: number): number {
  if (value < dark || value > light) return 0
  if (value < darkEnd) return (value - dark + 1) / (darkEnd - dark + 1)
  return value > lightStart ? (light - value + 1) / (light - lightStart + 1) : 1
}
