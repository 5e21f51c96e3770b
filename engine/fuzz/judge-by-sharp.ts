import { sharp } from '../src/node/hardened-sharp.ts'

/**
 * Compares our decoder's picture of a file at full size with sharp's libjpeg-turbo, set to refuse where it
 * would warn. `equal`; `differs by N` (the greatest difference of a sample); or why libjpeg-turbo refuses
 * what we accepted.
 */
export async function judgeBySharp(bytes: Uint8Array, data: Uint8Array): Promise<string> {
  let wanted: Buffer
  try {
    wanted = await sharp(bytes, { failOn: 'warning', ignoreIcc: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return `refused: ${message.split('\n')[0] ?? ''}`
  }
  if (wanted.length !== data.length) return 'another size'
  if (wanted.equals(data)) return 'equal'
  let worst = 0
  wanted.forEach((sample, i) => (worst = Math.max(worst, Math.abs(sample - (data[i] ?? 0)))))
  return `differs by ${worst}`
}
