import type { Rect } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { FrameRim } from '../sampling/frame-rim.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'

/** A frame prepared for one output size; everything is trimmed to the plan's region. */
export type PreparedFrame = {
  /** width / height of artwork that fills it */
  readonly aspectRatio: number
  readonly plan: SamplingPlan
  /** the area it changes: its region, extended by its effects */
  readonly reach: Rect
  /** how placed artwork is sampled along the frame's edges; null if the plan already is as accurate there */
  readonly rim: FrameRim | null
  /** per pixel of the region: how much of it shows artwork, without its operation's opacity */
  readonly coverage: Uint8Array
  /** null: the artwork is blended, not lit */
  readonly light: Light | null
}
