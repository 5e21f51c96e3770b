import { PictureEncoder } from '../../src/encoding/picture-encoder.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import { compileKernels, type KernelName } from '../../src/webassembly/kernel-modules.ts'

function paint(widthPx: number, heightPx: number, colorAt: (x: number, y: number) => number[]): OpaquePixmap {
  const pixels = Array.from({ length: widthPx * heightPx }, (_, i) => colorAt(i % widthPx, Math.floor(i / widthPx)))
  return { alpha: 'opaque', widthPx, heightPx, data: Uint8Array.from(pixels.flat()) }
}

/**
 * A few mockups as files, by name, with the pixels that they were made of; made with kernels from wherever
 * `readKernel` finds them, by nothing but the pure part of the engine.
 */
export async function encodePictures(
  readKernel: (name: KernelName) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Record<string, { readonly file: Uint8Array; readonly picture: OpaquePixmap }>> {
  const encoder = new PictureEncoder(await compileKernels(readKernel))
  const made: Record<string, { readonly file: Uint8Array; readonly picture: OpaquePixmap }> = {}
  for (const [widthPx, heightPx] of [
    [1, 1],
    [75, 51],
    [160, 96],
  ] as const) {
    const scene = paint(widthPx, heightPx, (x, y) => [x & 255, (x + y) & 255, (200 - y) & 255])
    const drawn = [{ left: widthPx >> 2, top: heightPx >> 2, widthPx: widthPx >> 1, heightPx: heightPx >> 1 }]
    for (const step of [7, 31]) {
      const picture = paint(widthPx, heightPx, (x, y) => {
        const isInside = drawn.some(
          ({ left, top, widthPx, heightPx }) => x >= left && x < left + widthPx && y >= top && y < top + heightPx,
        )
        return isInside
          ? [(x * step) & 255, (y * step) & 255, (x * y) & 255]
          : [...scene.data.subarray(3 * (y * widthPx + x), 3 * (y * widthPx + x) + 3)]
      })
      for (const output of [
        { format: 'jpeg', quality: 85 },
        { format: 'jpeg', quality: 98 },
        { format: 'png' },
      ] as const) {
        const file = encoder.encode(picture, output, { scene, drawn })
        made[`${widthPx} x ${heightPx}, ${step}, ${output.format === 'jpeg' ? output.quality : 'png'}`] = {
          file,
          picture,
        }
      }
    }
  }
  return made
}
