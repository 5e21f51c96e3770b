/**
 * The engine's picture types: row-major, no padding between rows, first row on top. Continuous coordinates:
 * pixel (0, 0) covers [0, 1) x [0, 1), its centre is (0.5, 0.5). The alpha state is part of the type, so that
 * a picture in the wrong state does not compile.
 */
type Pixmap<Alpha extends string> = {
  readonly alpha: Alpha
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/** RGBA, 4 bytes per pixel, sRGB-encoded 0..255; NOT premultiplied. */
export type StraightPixmap = Pixmap<'straight'>

/** RGBA, 4 bytes per pixel, sRGB-encoded 0..255; premultiplied, each channel at most alpha. */
export type PremultipliedPixmap = Pixmap<'premultiplied'>

/** RGB, 3 bytes per pixel, sRGB-encoded 0..255. */
export type OpaquePixmap = Pixmap<'opaque'>

/** One byte per pixel: linear coverage, 0 = nothing of the pixel, 255 = all of it. */
export type CoveragePixmap = Pixmap<'coverage'>

/** A map from scene to artwork: u, v, coverage interleaved, 0..65535 = 0..1. */
export type UvPixmap = {
  readonly alpha: 'uv'
  readonly widthPx: number
  readonly heightPx: number
  /** false if the file stores no coverage; it is 65535 everywhere then */
  readonly hasCoverage: boolean
  readonly data: Uint16Array
}

/** RGB, 0..65535 = 0..1: factors for changing colours. */
export type WidePixmap = {
  readonly alpha: 'wide'
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint16Array
}
