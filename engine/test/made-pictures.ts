import * as fc from 'fast-check'
import type { Rect } from '../src/geometry/rect.ts'
import type { OpaquePixmap } from '../src/pixmap.ts'

/** Content that stresses different parts of the coder; the same for the same seed. */
export type Content = 'noise' | 'extremes' | 'smooth' | 'flat' | 'sparse'

export function makePicture(widthPx: number, heightPx: number, content: Content, seed: number): OpaquePixmap {
  const data = new Uint8Array(3 * widthPx * heightPx)
  let state = seed | 1
  const random = (): number => {
    state = Math.imul(state ^ (state << 13), 1)
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 8) / 2 ** 24
  }
  for (let i = 0; i < data.length; i++) {
    const x = Math.floor(i / 3) % widthPx
    const y = Math.floor(i / 3 / widthPx)
    if (content === 'noise') data[i] = random() * 256
    else if (content === 'extremes') data[i] = random() < 0.5 ? 0 : 255
    else if (content === 'smooth') data[i] = 128 + 100 * Math.sin((x + seed) / 9 + (i % 3)) * Math.cos(y / 7)
    else if (content === 'sparse') data[i] = random() < 0.04 ? random() * 256 : 200
    else data[i] = seed & 255
  }
  return { alpha: 'opaque', widthPx, heightPx, data }
}

export const contents = fc.constantFrom<Content>('noise', 'extremes', 'smooth', 'flat', 'sparse')

/** Sizes around the edges of blocks and vectors, and any others. */
export const sides = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(8, 15, 16, 17, 31, 32, 33, 48, 64))

export const seeds = fc.integer()

/** Up to four rectangles that may overlap, be empty, or reach outside. */
export const rectangles = (widthPx: number, heightPx: number): fc.Arbitrary<Rect[]> =>
  fc.array(
    fc.record({
      left: fc.integer({ min: -4, max: widthPx }),
      top: fc.integer({ min: -4, max: heightPx }),
      widthPx: fc.integer({ min: 0, max: widthPx + 4 }),
      heightPx: fc.integer({ min: 0, max: heightPx + 4 }),
    }),
    { maxLength: 4 },
  )

/** The scene with new content inside the rectangles. */
export function redraw(scene: OpaquePixmap, dirty: readonly Rect[], content: Content, seed: number): OpaquePixmap {
  const fresh = makePicture(scene.widthPx, scene.heightPx, content, seed)
  const data = scene.data.slice()
  for (const rect of dirty) {
    for (let y = Math.max(0, rect.top); y < Math.min(scene.heightPx, rect.top + rect.heightPx); y++) {
      for (let x = Math.max(0, rect.left); x < Math.min(scene.widthPx, rect.left + rect.widthPx); x++) {
        const at = 3 * (y * scene.widthPx + x)
        data.set(fresh.data.subarray(at, at + 3), at)
      }
    }
  }
  return { ...scene, data }
}
