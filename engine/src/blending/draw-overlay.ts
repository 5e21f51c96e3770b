import type { OpaquePixmap } from '../pixmap.ts'
import type { PreparedOverlay } from '../template/prepare-overlay.ts'
import { blendChunk, buildBlending } from './blend-chunk.ts'

const fullCoverage = new Uint8Array(4096).fill(255)

/** Blends an overlay into a picture; its region must lie inside the picture. */
export function drawOverlay(picture: OpaquePixmap, overlay: PreparedOverlay): void {
  const { left, top, widthPx, heightPx } = overlay.region
  const blending = buildBlending(overlay.blendMode)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x += fullCoverage.length) {
      blendChunk(
        blending,
        overlay.opacity,
        Math.min(fullCoverage.length, widthPx - x),
        overlay.data,
        (y * widthPx + x) * 4,
        fullCoverage,
        0,
        picture.data,
        ((top + y) * picture.widthPx + left + x) * 3,
      )
    }
  }
}
