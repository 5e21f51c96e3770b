import { constants, deflateSync, inflateRawSync } from 'node:zlib'
import { roundSamples } from '../src/artwork/convert-wide.ts'
import { buildChunk } from '../src/artwork/png-chunks.ts'
import { sharp } from '../src/node/hardened-sharp.ts'

type FailOn = 'none' | 'warning'

/**
 * Compares our decoder's picture of a file at full size with what sharp's libjpeg-turbo or libpng gives, set
 * to refuse where it would warn. Where it refuses, what it shows nonetheless is compared, and a PNG with its
 * data in a sound zlib stream: bytes that belong to nothing make no other picture. `equal`; `differs by N`
 * (the greatest difference of a sample); or why the library refuses. `isWide`: samples of 16 bits, rounded by
 * us.
 */
export async function judgeBySharp(bytes: Uint8Array, data: Uint8Array, isWide = false): Promise<string> {
  const judgement = await judge(bytes, data, isWide, 'warning')
  if (!judgement.startsWith('refused')) return judgement
  const stream = withSoundStream(bytes)
  if (stream !== null && (await judge(stream, data, isWide, 'warning')) === 'equal') return 'equal'
  return (await judge(bytes, data, isWide, 'none')) === 'equal' ? 'equal' : judgement
}

async function judge(bytes: Uint8Array, data: Uint8Array, isWide: boolean, failOn: FailOn): Promise<string> {
  let wanted: Buffer
  try {
    const picture = sharp(bytes, { failOn, ignoreIcc: true })
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

/** A PNG with its data inflated, whatever its window and checksum say, and deflated again; else null. */
function withSoundStream(bytes: Uint8Array): Buffer | null {
  const file = Buffer.from(bytes)
  const before: Buffer[] = []
  const data: Buffer[] = []
  if (file.toString('latin1', 1, 4) !== 'PNG') return null
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(file.subarray(at + 8, end - 4))
    else if (data.length === 0) before.push(file.subarray(at, end))
    at = end
  }
  const stream = Buffer.concat(data).subarray(2)
  // As far as it is sound: damage behind the last row is found with what it stands behind.
  for (let size = stream.length; size > 0; size--) {
    try {
      const rows = inflateRawSync(stream.subarray(0, size), { finishFlush: constants.Z_SYNC_FLUSH })
      const sound = [buildChunk('IDAT', deflateSync(rows)), buildChunk('IEND', new Uint8Array(0))]
      return Buffer.concat([file.subarray(0, 8), ...before, ...sound])
    } catch {
      // one byte less
    }
  }
  return null
}
