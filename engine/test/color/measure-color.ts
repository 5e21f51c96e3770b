import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { deltaE2000, type Triple } from './delta-e.ts'
import { labFromSrgb } from './profiles.ts'

export type ColorDifference = { readonly mean: number; readonly max: number; readonly worst: string }

const codec = createSharpCodec()

/**
 * Decodes a picture of patches, `size` px each in rows of `columns`, and compares each patch's centre with
 * the sRGB (encoded 0..1, not rounded) that it should show. The reference is not quantised, so that the least
 * possible result is that of rounding to 8 bits.
 */
export async function measureColor(
  file: Uint8Array,
  expected: readonly Triple[],
  columns: number,
  size: number,
): Promise<ColorDifference> {
  const { data, widthPx } = await codec.decodeArtwork(file, null)
  let sum = 0
  let max = 0
  let worst = ''
  for (const [index, wanted] of expected.entries()) {
    const x = (index % columns) * size + Math.floor(size / 2)
    const y = Math.floor(index / columns) * size + Math.floor(size / 2)
    const at = (y * widthPx + x) * 4
    const found: Triple = [(data[at] ?? 0) / 255, (data[at + 1] ?? 0) / 255, (data[at + 2] ?? 0) / 255]
    const difference = deltaE2000(labFromSrgb(found), labFromSrgb(wanted))
    sum += difference
    if (difference <= max) continue
    max = difference
    worst = `patch ${index}: ${found.map(v => (v * 255).toFixed(0)).join()} for ${wanted.map(v => (v * 255).toFixed(2)).join()}`
  }
  return { mean: sum / expected.length, max, worst }
}
