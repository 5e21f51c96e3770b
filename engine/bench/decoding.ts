/**
 * CPU milliseconds of reading a JPEG to the same size: our decoder, into reused memory as in a render
 * process, and libvips. The best of interleaved rounds.
 *
 *   node engine/bench/decoding.ts [--rounds 6] PICTURE.jpg...
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { JpegDecoder } from '../src/decoding/jpeg/jpeg-decoder.ts'
import { decodeWithSharp } from '../src/node/decode-artwork.ts'
import { loadKernels } from '../src/node/load-kernels.ts'
import { ReusedMemory } from '../src/reused-memory.ts'

const allEighths = [1, 2, 3, 4, 5, 6, 7, 8] as const

async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '6' } },
  allowPositionals: true,
})
const memory = new ReusedMemory({ maxBytes: 256 * 1024 * 1024, maxCount: 8 })
const decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'), memory)
console.log(`| file | ${allEighths.map(eighths => `${eighths}/8`).join(' | ')} |`)
console.log(`|---|${allEighths.map(() => '---').join('|')}|`)
for (const file of positionals) {
  const facts = inspectArtwork(await readFile(file))
  const { storedWidthPx, storedHeightPx, bytesToDecode } = facts
  const ours: number[] = allEighths.map(() => Number.POSITIVE_INFINITY)
  const theirs = [...ours]
  for (let round = 0; round < Math.max(1, Number(values.rounds)); round++) {
    for (const [index, eighths] of allEighths.entries()) {
      const target =
        eighths === 8
          ? null
          : {
              minWidthPx: Math.ceil((storedWidthPx * eighths) / 8),
              minHeightPx: Math.ceil((storedHeightPx * eighths) / 8),
            }
      const one = await measureCpuMs(() => memory.giveBack(decoder.decode(bytesToDecode, eighths).data))
      const other = await measureCpuMs(() => decodeWithSharp(facts, target))
      ours[index] = Math.min(ours[index] ?? one, one)
      theirs[index] = Math.min(theirs[index] ?? other, other)
    }
  }
  const cells = ours.map((cost, i) => `${cost.toFixed(0)}/${(theirs[i] ?? 0).toFixed(0)}`)
  console.log(`| ${path.basename(file)}, ${storedWidthPx} x ${storedHeightPx} | ${cells.join(' | ')} |`)
}
