import { createRandom } from '../src/numerics/random.ts'
import type { PhotoPixels } from '../src/photo-pixels.ts'

export const PHOTO_WIDTH = 320
export const PHOTO_HEIGHT = 280

/** A grey wall with a light surface in its middle: shaded from left to right, with the noise of a camera. */
export function smallPhoto(light = 0.8, noise = 0.02): PhotoPixels {
  const random = createRandom(5)
  const data = new Uint8Array(PHOTO_WIDTH * PHOTO_HEIGHT * 3)
  for (let y = 0, at = 0; y < PHOTO_HEIGHT; y++) {
    for (let x = 0; x < PHOTO_WIDTH; x++, at += 3) {
      const isSurface = x >= 60 && x < 260 && y >= 40 && y < 240
      const base = isSurface ? light * (0.7 + (0.3 * (x - 60)) / 200) : 0.4
      for (let c = 0; c < 3; c++) {
        const value = base * (1 - 0.02 * c) + noise * (random() - 0.5)
        data[at + c] = Math.round(255 * Math.min(1, Math.max(0, value)))
      }
    }
  }
  return { widthPx: PHOTO_WIDTH, heightPx: PHOTO_HEIGHT, data }
}

/** Fields of drawings that every one has. */
export const drawingHead = { format: 1, width: PHOTO_WIDTH, height: PHOTO_HEIGHT } as const

export const flatFrame = {
  kind: 'flat',
  aspect_ratio: 1,
  surface: 'paper',
  corners: [
    [60, 40],
    [260, 40],
    [260, 240],
    [60, 240],
  ],
} as const

/** A cylinder that stands before the wall: four corners of its print and the middles of its arcs. */
export const bodyFrame = {
  kind: 'body',
  aspect_ratio: 1.2,
  surface: 'ceramic',
  snap: false,
  marks: [
    { at: [90, 70], u: 0, v: 0 },
    { at: [230, 70], u: 1, v: 0 },
    { at: [226, 200], u: 1, v: 1 },
    { at: [94, 200], u: 0, v: 1 },
    { at: [160, 86], v: 0 },
    { at: [160, 224], v: 1 },
  ],
} as const

export const clothFrame = {
  kind: 'cloth',
  aspect_ratio: 1,
  surface: 'fabric',
  corners: [
    [70, 50],
    [250, 46],
    [246, 236],
    [66, 230],
  ],
  pins: [{ at: [160, 135], u: 0.5, v: 0.48 }],
  bulge: 0.1,
} as const

/** A patch that is bent like a flag. */
export const warpFrame = {
  kind: 'warp',
  aspect_ratio: 1,
  surface: 'fabric',
  mesh: Array.from({ length: 16 }, (_, i) => [70 + 60 * (i % 4), 60 + 52 * Math.floor(i / 4) + (i % 4 === 1 ? 12 : 0)]),
} as const
