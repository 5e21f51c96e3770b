import type { Rect } from '../geometry/rect.ts'
import type { Light } from '../lighting/light-chunk.ts'

/** Artwork sampled over the frame's region. */
export type SampledFrame = {
  readonly region: Rect
  /** premultiplied RGBA, sRGB-encoded */
  readonly data: Uint8Array
  /** a byte per pixel: how much of it shows artwork */
  readonly coverage: Uint8Array
  /** for a lit frame */
  readonly light: Light | null
}
