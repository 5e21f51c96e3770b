/** The placements of the artworks in a template's frames, as the user sets them. */
import { centredCover, type Placement } from '@vitrine/engine'
import { describePlacement, type PlacementChange } from '@vitrine/live'

export type Placing = {
  /** By frame; all equal if they are set together. */
  readonly frames: readonly Placement[]
  /** Changes apply to every frame. */
  readonly isShared: boolean
}

export const placingOf = (frameCount: number, start: Placement = centredCover): Placing => ({
  frames: Array.from({ length: frameCount }, () => start),
  isShared: true,
})

export const placementOf = ({ frames }: Placing, frame: number): Placement => frames[frame] ?? centredCover

/** Changes a frame's placement, or every frame's if they are set together. */
export function withPlacement(placing: Placing, frame: number, change: PlacementChange): Placing {
  const changed = { ...placementOf(placing, frame), ...change }
  return {
    ...placing,
    frames: placing.frames.map((before, index) => (placing.isShared || index === frame ? changed : before)),
  }
}

/** Set together, every frame takes the placement of `frame`; set separately, each stays as it is. */
export function withSharing(placing: Placing, isShared: boolean, frame: number): Placing {
  return withPlacement({ ...placing, isShared }, frame, {})
}

/** The placement parameters of a request; none if every placement is the default. */
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
