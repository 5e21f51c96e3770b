/** Placement values as pointers change them, and the part of a placement that a request must contain. */
import { placementRanges } from '@vitrine/contract/placement-ranges'
import { centredCover, type Placement } from '@vitrine/engine'

/** A value for each field that changes. */
export type PlacementChange = Partial<Placement>

/** A number limited to the API's range for its field, and rounded to visible precision. */
export function fieldValue(field: keyof typeof placementRanges, value: number): number {
  const { least, greatest, perUnit } = placementRanges[field]
  const rounded = Math.round(value * perUnit) / perUnit
  return Math.min(greatest, Math.max(least, rounded))
}

const conditionalFields = ['focus', 'background']

/** The fields of a placement that differ from the default. */
export function describePlacement(placement: Placement): PlacementChange {
  const { fit, focus, background } = placement
  const isMiddle = focus.every((share, axis) => share === centredCover.focus[axis])
  const names = Object.keys(centredCover).filter(name => !conditionalFields.includes(name))
  const set = names.filter(name => Reflect.get(placement, name) !== Reflect.get(centredCover, name))
  return {
    ...Object.fromEntries(set.map(name => [name, Reflect.get(placement, name)])),
    ...(fit === 'cover' && !isMiddle ? { focus } : {}),
    ...(background === null ? {} : { background }),
  }
}
