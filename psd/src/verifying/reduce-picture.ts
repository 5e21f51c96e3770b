import type { StraightPixmap } from '@vitrine/engine'

/**
 * Photoshop reduces with a sharpening cubic ("Bicubic Automatic"): Keys' with a = -1.25 is nearest to it
 * (docs/decisions/photoshop-import.md). R. Keys, Cubic Convolution Interpolation, 1981.
 */
const SHARPNESS = -1.25

function cubic(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return (SHARPNESS + 2) * t ** 3 - (SHARPNESS + 3) * t * t + 1
  return t < 2 ? SHARPNESS * (t ** 3 - 5 * t * t + 8 * t - 4) : 0
}

/** A picture at a smaller size, as Photoshop reduces it; an axis that would grow keeps its size. */
export function reduceLikePhotoshop(picture: StraightPixmap, widthPx: number, heightPx: number): StraightPixmap {
  const toWidth = Math.max(1, Math.min(picture.widthPx, Math.round(widthPx)))
  const toHeight = Math.max(1, Math.min(picture.heightPx, Math.round(heightPx)))
  if (toWidth === picture.widthPx && toHeight === picture.heightPx) return picture
  const { data } = picture
  const premultiplied = new Float32Array(data.length)
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0
    for (let c = 0; c < 3; c++) premultiplied[i + c] = ((data[i + c] ?? 0) * alpha) / 255
    premultiplied[i + 3] = alpha
  }
  const across = reduceAxis(
    premultiplied,
    picture.widthPx,
    picture.heightPx,
    4,
    picture.widthPx * 4,
    toWidth,
    toWidth * 4,
  )
  const down = reduceAxis(across, picture.heightPx, toWidth, toWidth * 4, 4, toHeight, 4)
  const out = new Uint8Array(toWidth * toHeight * 4)
  for (let i = 0; i < out.length; i += 4) {
    const alpha = Math.min(255, Math.max(0, down[i + 3] ?? 0))
    for (let c = 0; c < 3; c++) {
      out[i + c] = alpha > 0 ? Math.min(255, Math.max(0, ((down[i + c] ?? 0) * 255) / alpha + 0.5)) : 0
    }
    out[i + 3] = alpha + 0.5
  }
  return { alpha: 'straight', widthPx: toWidth, heightPx: toHeight, data: out }
}

/** Resamples lines of RGBA: values of one lie `step` apart, lines `stride` and then `toStride`. */
function reduceAxis(
  from: Float32Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  toLength: number,
  toStride: number,
): Float32Array {
  const out = new Float32Array(lines * toLength * 4)
  const scale = Math.max(1, length / toLength)
  for (let i = 0; i < toLength; i++) {
    const centre = ((i + 0.5) * length) / toLength - 0.5
    const first = Math.ceil(centre - 2 * scale)
    const last = Math.floor(centre + 2 * scale)
    const taps: number[] = []
    for (let t = first; t <= last; t++) taps.push(cubic((t - centre) / scale))
    const sum = taps.reduce((a, b) => a + b, 0)
    for (let line = 0; line < lines; line++) {
      for (let c = 0; c < 4; c++) {
        let value = 0
        for (const [t, weight] of taps.entries()) {
          const at = Math.min(length - 1, Math.max(0, first + t))
          value += weight * (from[line * stride + at * step + c] ?? 0)
        }
        out[line * toStride + i * step + c] = value / sum
      }
    }
  }
  return out
}
