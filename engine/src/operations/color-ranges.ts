/** Bytes from dark to light: nothing below the first and above the last, all from the second to the third. */
export type Range = readonly [number, number, number, number]

/** Where colours count: each range that is given weighs by the value of its channel. */
export type ColorRanges = {
  readonly gray: Range | null
  readonly red: Range | null
  readonly green: Range | null
  readonly blue: Range | null
}

/** Ranges as they are drawn. `weights`: 0..1 for each byte of gray, then of red, green and blue. */
export type PreparedRanges = { readonly ranges: ColorRanges; readonly weights: Float32Array }

export function prepareRanges(ranges: ColorRanges | null): PreparedRanges | null {
  return ranges && { ranges, weights: tableOfRanges(ranges) }
}

/** As template.json has them: those that are given. */
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

/** Both ends of a ramp have a share of it, as in Photoshop (measured by the Patchy project, MIT). */
function weightAt([dark, darkEnd, lightStart, light]: Range, value: number): number {
  if (value < dark || value > light) return 0
  if (value < darkEnd) return (value - dark + 1) / (darkEnd - dark + 1)
  return value > lightStart ? (light - value + 1) / (light - lightStart + 1) : 1
}
