/** Where the artworks of a template lie in its frames, as a person sets it. */
import { type Placement, placementDefaults, placementFields } from '@vitrine/contract'

export type Placing = {
  /** By frame; all equal where they are set together. */
  readonly frames: readonly Placement[]
  /** One change is for every frame. */
  readonly isShared: boolean
}

/** A value for each field that changes. */
export type PlacementChange = Partial<Placement>

export const defaultPlacement: Placement = { ...placementDefaults, background: null }

export const placingOf = (frameCount: number): Placing => ({
  frames: Array.from({ length: frameCount }, () => defaultPlacement),
  isShared: true,
})

export const placementOf = ({ frames }: Placing, frame: number): Placement => frames[frame] ?? defaultPlacement

/** A frame's placement with other values, or that of every frame where they are set together. */
export function withPlacement(placing: Placing, frame: number, change: PlacementChange): Placing {
  const changed = { ...placementOf(placing, frame), ...change }
  return {
    ...placing,
    frames: placing.frames.map((before, index) => (placing.isShared || index === frame ? changed : before)),
  }
}

/** Set together, every frame takes what `frame` has; set apart, each keeps what it has. */
export function withSharing(placing: Placing, isShared: boolean, frame: number): Placing {
  return withPlacement({ ...placing, isShared }, frame, {})
}

/** A number within the range that the interface allows for its field, without more digits than are seen. */
export function fieldValue(field: 'scale' | 'rotation' | 'x' | 'y', value: number): number {
  const { minValue, maxValue } = placementFields[field].schema
  const digits = { scale: 1000, rotation: 10, x: 10_000, y: 10_000 }[field]
  const rounded = Math.round(value * digits) / digits
  return Math.min(maxValue ?? rounded, Math.max(minValue ?? rounded, rounded))
}

const plainFields = ['fit', 'scale', 'rotation', 'x', 'y', 'flip', 'repeat'] as const

/** The fields of a placement that say something else than a request without them. */
function describePlacement(placement: Placement): PlacementChange {
  const { fit, focus, background } = placement
  const isMiddle = focus.every((share, axis) => share === placementDefaults.focus[axis])
  const set = plainFields.filter(field => placement[field] !== placementDefaults[field])
  return {
    ...Object.fromEntries(set.map(field => [field, placement[field]])),
    ...(fit === 'cover' && !isMiddle ? { focus } : {}),
    ...(background === null ? {} : { background }),
  }
}

/** The parameters of a request for it; none where every artwork lies as without them. */
export type PlacementParameters = {
  readonly placement?: PlacementChange
  readonly placements?: Readonly<Record<string, PlacementChange>>
}

export function placementParameters({ frames, isShared }: Placing): PlacementParameters {
  const described = frames.map(describePlacement)
  const [first = {}] = described
  const isSet = (placement: PlacementChange): boolean => Object.keys(placement).length > 0
  if (isShared || frames.length === 1) return isSet(first) ? { placement: first } : {}
  const set = described.flatMap((placement, frame) => (isSet(placement) ? [[String(frame), placement] as const] : []))
  return set.length === 0 ? {} : { placements: Object.fromEntries(set) }
}
