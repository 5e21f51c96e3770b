import { hexColor } from '@vitrine/contract'
import { parseParameter, refuseManyEntries } from '../http/invalid-parameter.ts'

/**
 * Colours by area name, sorted by name. Null entries are ignored.
 *
 * @throws {ApiError} INVALID_PARAMETER
 */
export function parseColors(name: string, value: object): readonly (readonly [area: string, color: string])[] {
  refuseManyEntries(name, value)
  return Object.entries(value)
    .filter(([, color]) => color !== null)
    .map(([area, color]: readonly [string, unknown]) => {
      const where = `${name}.${area.slice(0, 40)}`
      return [area, parseParameter(where, hexColor, color).toLowerCase()] as const
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
