/**
 * The pictures that the engine passes around: row-major, no padding between rows, first row on top.
 * Continuous coordinates: pixel (0, 0) covers [0, 1) x [0, 1), its centre is (0.5, 0.5).
 * Alpha state and colour space are part of each type, so that a wrong hand-over does not compile.
 */

/** RGBA, 4 bytes a pixel, sRGB-encoded 0..255; colour is NOT multiplied by alpha. */
export type StraightPixmap = {
  readonly alpha: 'straight'
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/** RGBA, 4 bytes a pixel, sRGB 0..255, colour multiplied by alpha: no channel exceeds alpha. */
export type PremultipliedPixmap = {
  readonly alpha: 'premultiplied'
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/** RGB, 3 bytes a pixel, sRGB-encoded 0..255. */
export type OpaquePixmap = {
  readonly alpha: 'opaque'
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/** One byte a pixel: linear coverage, 0 = nothing of the pixel, 255 = all of it. */
export type CoveragePixmap = {
  readonly alpha: 'coverage'
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/**
 * A map from scene to artwork: u, v, coverage interleaved, 0..65535 = 0..1.
 * `hasCoverage` tells a stored coverage channel from one that is 65535 everywhere because the file has none.
 */
export type UvPixmap = {
  readonly alpha: 'uv'
  readonly widthPx: number
  readonly heightPx: number
  readonly hasCoverage: boolean
  readonly data: Uint16Array
}
