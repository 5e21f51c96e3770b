import { blendChunk, buildBlending } from '../blending/blend-chunk.ts'
import type { Rect } from '../geometry/rect.ts'
import type { Ground, PictureOperation } from '../operations/operation.ts'
import { GREATEST_WIDTH_PX } from './width-limits.ts'

const fullCoverage = new Uint8Array(GREATEST_WIDTH_PX).fill(255)

/** Blends a part of a premultiplied picture over pixels, in place; both must contain the part. */
export function drawPicture(onto: Ground, { region, data, blendMode, opacity }: PictureOperation, part: Rect): void {
  const { left, top, widthPx, heightPx } = part
  const blending = buildBlending(blendMode)
  for (let y = top; y < top + heightPx; y++) {
    const colorByte = ((y - region.top) * region.widthPx + left - region.left) * 4
    const sceneByte = ((y - onto.top) * onto.pixels.widthPx + left - onto.left) * 3
    blendChunk(blending, opacity, widthPx, data, colorByte, fullCoverage, 0, onto.pixels.data, sceneByte)
  }
}
