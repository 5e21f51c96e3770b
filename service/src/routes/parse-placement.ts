import { type Parameter, type Placement, placementDefaults, placementFields } from '@vitrine/contract'
import type { z } from 'zod'
import { ApiError } from '../http/api-error.ts'
import { invalidParameter, parseParameter, refuseManyEntries } from '../http/invalid-parameter.ts'
import { shown } from '../http/received-value.ts'

const fieldNames = Object.keys(placementFields)

/**
 * Validates a placement field by field. Unknown fields are rejected, so that a misspelt one is not charged
 * for.
 *
 * @throws {ApiError} INVALID_PARAMETER
 */
export function parsePlacement(name: string, value: object): Placement {
  refuseManyEntries(name, value)
  const values = new Map<string, unknown>(Object.entries(value))
  for (const key of values.keys()) {
    if (!Object.hasOwn(placementFields, key)) throw unknownField(name, key)
  }
  const given = Object.entries(placementFields).flatMap(([field, parameter]) => {
    const value = values.get(field) ?? null
    return value === null
      ? []
      : [[field, parseParameter<z.core.$ZodType>(`${name}.${field}`, parameter, value)] as const]
  })
  const placed: Placement = { ...placementDefaults, ...Object.fromEntries(given) }
  return { ...placed, background: placed.background?.toLowerCase() ?? null }
}

/** Placements by frame key, as spelled in the request, in order. Null entries are ignored. */
export function parsePlacements(
  name: string,
  value: object,
  expected: Parameter,
): readonly (readonly [frameKey: string, placement: Placement])[] {
  refuseManyEntries(name, value)
  return Object.entries(value)
    .filter(([, placement]) => placement !== null)
    .map(([key, placement]: readonly [string, unknown]) => {
      const where = `${name}.${key.slice(0, 20)}`
      if (!isObject(placement)) throw invalidParameter(where, expected, placement)
      return [key, parsePlacement(where, placement)] as const
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownField(name: string, key: string): ApiError {
  return new ApiError('INVALID_PARAMETER', {
    message: `Expected the fields ${fieldNames.join(', ')} for ${name} but received ${JSON.stringify(shown(key))}.`,
    details: { parameter: name, received: shown(key), allowed: fieldNames },
  })
}
