import type { Rect } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { FrameRim } from '../sampling/frame-rim.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'

/** A frame made ready for one output size; everything is trimmed to the plan's region. */
export type PreparedFrame = {
  /** width / height of the artwork that fills it */
  readonly aspectRatio: number
  readonly plan: SamplingPlan
  /** what it changes: its region, and around it what effects do */
  readonly reach: Rect
  /** how placed artwork is sampled along the frame's own edges; null where the plan is as good there */
  readonly rim: FrameRim | null
  /** per pixel of the region: how much of it shows artwork, without the opacity of its operation */
  readonly coverage: Uint8Array
  /** null: the artwork is blended, not lit */
  readonly light: Light | null
}
