import { roundSamples } from '../src/artwork/convert-wide.ts'
import { sharp } from '../src/node/hardened-sharp.ts'

/**
 * Compares our decoder's picture of a file at full size with what sharp's libjpeg-turbo or libpng gives, set
 * to refuse where it would warn. `equal`; `differs by N` (the greatest difference of a sample); or why the
 * library refuses what we accepted. `isWide`: samples of 16 bits, which are rounded by us.
 */
export async function judgeBySharp(bytes: Uint8Array, data: Uint8Array, isWide = false): Promise<string> {
  let wanted: Buffer
  try {
    const picture = sharp(bytes, { failOn: 'warning', ignoreIcc: true })
      .toColourspace(isWide ? 'rgb16' : 'srgb')
      .ensureAlpha()
    wanted = await picture.raw({ depth: isWide ? 'ushort' : 'uchar' }).toBuffer()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return `refused: ${message.split('\n')[0] ?? ''}`
  }
  if (isWide) wanted = Buffer.from(roundSamples(new Uint16Array(wanted.buffer, wanted.byteOffset, wanted.length / 2)))
  if (wanted.length !== data.length) return 'another size'
  if (wanted.equals(data)) return 'equal'
  let worst = 0
  wanted.forEach((sample, i) => (worst = Math.max(worst, Math.abs(sample - (data[i] ?? 0)))))
  return `differs by ${worst}`
}
