import { blendChunk, buildBlending } from '../blending/blend-chunk.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { GREATEST_WIDTH_PX } from '../template/prepare-limits.ts'
import type { PreparedOverlay } from '../template/prepare-overlay.ts'

const fullCoverage = new Uint8Array(GREATEST_WIDTH_PX).fill(255)

/** Blends an overlay over a picture, in place; its region must lie inside the picture. */
export function drawOverlay(picture: OpaquePixmap, { region, data, blendMode, opacity }: PreparedOverlay): void {
  const { left, top, widthPx, heightPx } = region
  const blending = buildBlending(blendMode)
  for (let y = 0; y < heightPx; y++) {
    const sceneByte = ((top + y) * picture.widthPx + left) * 3
    blendChunk(blending, opacity, widthPx, data, y * widthPx * 4, fullCoverage, 0, picture.data, sceneByte)
  }
}
