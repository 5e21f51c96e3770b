import type { RgbColor } from '../hex-color.ts'
import type { Light } from '../lighting/light-chunk.ts'
import type { Meeting, PreparedAdjustment } from '../operations/operation.ts'

/** A rectangle of pixels of a band, whose rows are `bandWidthPx` long; `start` is its first pixel. */
export type Area = {
  readonly start: number
  readonly bandWidthPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Pixels of an operation that lie on an area: the first one, and how many a row of theirs has. */
export type Pixels<Data> = { readonly data: Data; readonly first: number; readonly rowPx: number }

/**
 * Which surface, from 0, and whether it is drawn on as an opaque one: its alpha is neither read nor changed.
 */
export type Target = { readonly surface: number; readonly isOpaque: boolean }

/**
 * What the operations of a stack are made of. A surface is red, green, blue and alpha of a band's pixels as
 * f32, 0..1, sRGB-encoded, not multiplied by alpha. All implementations give the same numbers.
 */
export type StackArithmetic = {
  /** Opaque RGB bytes, onto surface 0. */
  loadScene(area: Area, scene: Pixels<Uint8Array>): void
  /** Surface 0 as RGB bytes. */
  storeScene(area: Area, picture: Pixels<Uint8Array>): void
  /** Makes pixels clear and black. */
  clear(surface: number, area: Area): void
  copy(from: number, to: number, area: Area): void
  /** A sampled frame's colours, and its alpha times its coverage (null: 255), in place of what is there. */
  placeFrame(surface: number, area: Area, colors: Pixels<Uint8Array>, coverage: Pixels<Uint8Array> | null): void
  /**
   * Adds the light that a surface of these colours sends back, in linear light; where the target is clear,
   * nothing but that light is seen. Layers of light lie as `coverage` does.
   */
  light(target: Target, area: Area, from: number, coverage: Pixels<Uint8Array>, light: Light, opacity: number): void
  /** Straight RGBA. */
  drawPicture(target: Target, area: Area, picture: Pixels<Uint8Array>, meeting: Meeting): void
  /** Premultiplied RGBA. */
  drawFrame(
    target: Target,
    area: Area,
    colors: Pixels<Uint8Array>,
    coverage: Pixels<Uint8Array>,
    meeting: Meeting,
  ): void
  drawColor(target: Target, area: Area, color: RgbColor, mask: Pixels<Uint8Array> | null, meeting: Meeting): void
  drawSurface(target: Target, area: Area, from: number, mask: Pixels<Uint8Array> | null, meeting: Meeting): void
  /**
   * How much the colours of a surface count: a byte for each pixel of the area, times those of a mask.
   * What is clear counts, unless the surface is taken as opaque.
   */
  weigh(from: Target, area: Area, weights: Float32Array, mask: Pixels<Uint8Array> | null): Pixels<Uint8Array>
  /** Changes colours, never alpha. */
  adjust(
    surface: number,
    area: Area,
    adjustment: PreparedAdjustment,
    mask: Pixels<Uint8Array> | null,
    meeting: Meeting,
  ): void
  /** RGB, 0..65535. */
  multiplyAndAdd(surface: number, area: Area, multiply: Pixels<Uint16Array>, add: Pixels<Uint16Array>): void
  /** What `before` has, where mask times opacity is below 1 in that share. */
  mix(target: Target, area: Area, before: number, mask: Pixels<Uint8Array> | null, opacity: number): void
}
