import type { RgbColor } from '../hex-color.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { Compositing, PreparedAdjustment } from '../operations/operation.ts'

/** A rectangle of a band's pixels; the band's rows are `bandWidthPx` long, `start` is the first pixel. */
export type Area = {
  readonly start: number
  readonly bandWidthPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** An operation's pixels over an area: the first, and the length of a row. */
export type Pixels<Data> = { readonly data: Data; readonly first: number; readonly rowPx: number }
export type Bytes = Pixels<Uint8Array>
/** Null: everywhere. */
export type Mask = Bytes | null

/** A surface, counted from 0, and whether it counts as opaque: then its alpha is neither read nor changed. */
export type Target = { readonly surface: number; readonly isOpaque: boolean }

/**
 * The primitives of a stack's operations. A surface is the red, green, blue and alpha of a band's pixels as
 * f32, 0..1, sRGB-encoded, straight alpha. All implementations give identical numbers.
 */
export type StackArithmetic = {
  /** Loads opaque RGB bytes into surface 0. */
  loadScene(area: Area, scene: Bytes): void
  /** Stores surface 0 as RGB bytes. */
  storeScene(area: Area, picture: Bytes): void
  /** Makes pixels transparent black. */
  clear(surface: number, area: Area): void
  copy(from: number, to: number, area: Area): void
  /** Replaces the pixels with a sampled frame's colours, and its alpha times its coverage (null: 255). */
  placeFrame(surface: number, area: Area, colors: Bytes, coverage: Mask): void
  /**
   * Adds the light reflected by a surface of these colours, in linear light; where the target is transparent,
   * only that light is visible. Light layers are aligned with `coverage`.
   */
  light(target: Target, area: Area, from: number, coverage: Bytes, light: Light, opacity: number): void
  /** Straight RGBA. */
  drawPicture(target: Target, area: Area, picture: Bytes, compositing: Compositing): void
  /** Premultiplied RGBA. */
  drawFrame(target: Target, area: Area, colors: Bytes, coverage: Bytes, compositing: Compositing): void
  drawColor(target: Target, area: Area, color: RgbColor, mask: Mask, compositing: Compositing): void
  drawSurface(target: Target, area: Area, from: number, mask: Mask, compositing: Compositing): void
  /**
   * Weights by the colours of a surface: a byte for each pixel of the area, times the mask's. Transparent
   * pixels have full weight, unless the surface counts as opaque.
   */
  weigh(from: Target, area: Area, weights: Float32Array, mask: Mask): Bytes
  /** Changes colours, never alpha. */
  adjust(surface: number, area: Area, adjustment: PreparedAdjustment, mask: Mask, compositing: Compositing): void
  /** RGB, 0..65535. */
  multiplyAndAdd(surface: number, area: Area, multiply: Pixels<Uint16Array>, add: Pixels<Uint16Array>): void
  /** Mixes with `before` where mask times opacity is below 1. */
  mix(target: Target, area: Area, before: number, mask: Mask, opacity: number): void
}
