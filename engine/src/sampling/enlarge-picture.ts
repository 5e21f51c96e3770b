import type { OpaquePixmap } from '../pixmap.ts'
import { resampleLayer } from './resample-layer.ts'

/** Enlarges a picture; its edge pixels repeat. */
export function enlargePicture(picture: OpaquePixmap, widthPx: number, heightPx: number): OpaquePixmap {
  const whole = { left: 0, top: 0, widthPx, heightPx }
  const placement = { left: 0, top: 0, width: widthPx, height: heightPx }
  return {
    alpha: 'opaque',
    widthPx,
    heightPx,
    data: resampleLayer(picture, 3, placement, whole, 'catmull-rom', 'extend'),
  }
}
