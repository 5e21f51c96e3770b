import { homographyFromQuad, type Quad } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'

/** The artwork's coordinates on a plane with these corners; nothing behind the camera is visible. */
export function flatSurface(corners: Quad): (x: number, y: number) => ArtworkPoint {
  const m = homographyFromQuad(corners)
  return (x, y) => {
    const w = m[6] * x + m[7] * y + m[8]
    return { u: (m[0] * x + m[1] * y + m[2]) / w, v: (m[3] * x + m[4] * y + m[5]) / w, isSeen: w > 0 }
  }
}
