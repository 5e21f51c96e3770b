import type { BlendMode } from '../blending/blend-modes.ts'
import type { Rect } from '../geometry/rect.ts'
import type { RgbColor } from '../hex-color.ts'

/** How a source meets what is below it. */
export type Meeting = {
  readonly blendMode: BlendMode
  /** 0..1 */
  readonly opacity: number
  /** 0..1; below 1 only in modes where it is not opacity */
  readonly fill: number
}

/** A byte per pixel of the operation's region. Null: 255 everywhere. */
type Masked = { readonly mask: Uint8Array | null }

/** Numbers are f32, 0..1. */
export type PreparedAdjustment =
  /** 256 values of red, then of green, then of blue */
  | { readonly kind: 'tables'; readonly values: Float32Array }
  /** RGB of 33 x 33 x 33 colours, blue the fastest, red the slowest */
  | { readonly kind: 'cube'; readonly values: Float32Array }
  /** the least luminosity that becomes white, a byte */
  | { readonly kind: 'threshold'; readonly level: number }

/** An operation at the output's size; nothing outside its region changes. sRGB-encoded. */
export type PreparedOperation = { readonly region: Rect } & (
  | ({ readonly kind: 'picture' /** RGBA, straight alpha */; readonly data: Uint8Array } & Meeting)
  | ({
      readonly kind: 'frame'
      readonly index: number
      readonly inner: readonly PreparedOperation[]
    } & Meeting)
  /** RGB, 0..65535 = 0..1 */
  | { readonly kind: 'affine'; readonly multiply: Uint16Array; readonly add: Uint16Array }
  | ({ readonly kind: 'adjust'; readonly adjustment: PreparedAdjustment } & Masked & Meeting)
  | ({ readonly kind: 'color'; readonly area: string; readonly color: RgbColor } & Masked & Meeting)
  | ({
      readonly kind: 'group'
      readonly operations: readonly PreparedOperation[]
      readonly clip: readonly PreparedOperation[]
    } & Masked &
      Meeting)
  | ({
      readonly kind: 'mix'
      readonly operations: readonly PreparedOperation[]
      /** 0..1 */
      readonly opacity: number
    } & Masked)
)

/** Artwork as a frame shows it, over the frame's region. */
export type SampledFrame = {
  readonly region: Rect
  /** premultiplied RGBA, sRGB-encoded */
  readonly data: Uint8Array
  /** a byte per pixel: how much of it shows artwork */
  readonly coverage: Uint8Array
}

/** What draws over the scene in place of `frames, then overlays`. */
export type PreparedStack = {
  readonly operations: readonly PreparedOperation[]
  /** where frames draw: apart from each other, each at most BAND_PX pixels */
  readonly bands: readonly Rect[]
}
