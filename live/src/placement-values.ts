/** Placement values as pointers change them, and the part of a placement that a request must contain. */
import { placementRanges } from '@vitrine/contract/placement-ranges'
import { centredCover, type Placement } from '@vitrine/engine'

/** A value for each field that changes. */
export type PlacementChange = Partial<Placement>

/** A number limited to the API's range for its field, and rounded to visible precision. */
export function fieldValue(field: keyof typeof placementRanges, value: number): number {
  const { least, greatest } = placementRanges[field]
  const digits = { scale: 1000, rotation: 10, x: 10_000, y: 10_000 }[field]
  const rounded = Math.round(value * digits) / digits
  return Math.min(greatest, Math.max(least, rounded))
}

const plainFields = ['fit', 'scale', 'rotation', 'x', 'y', 'flip', 'repeat'] as const

/** The fields of a placement that differ from the default. */
export function describePlacement(placement: Placement): PlacementChange {
  const { fit, focus, background } = placement
  const isMiddle = focus.every((share, axis) => share === centredCover.focus[axis])
  const set = plainFields.filter(field => placement[field] !== centredCover[field])
  return {
    ...Object.fromEntries(set.map(field => [field, placement[field]])),
    ...(fit === 'cover' && !isMiddle ? { focus } : {}),
    ...(background === null ? {} : { background }),
  }
}
