/**
 * CPU milliseconds of hostile pictures, with our decoder first and with libvips alone: the best of
 * interleaved rounds.
 *
 *   node engine/bench/hostile.ts [--rounds 5] FOLDER
 *
 * Each file is inspected and, if it passes, decoded (reduced to 1,500 px), as in a render process. Prints
 * files over a millisecond, the sums, and the outcomes, which must be equal both ways. Ends with code 1 where
 * they are not.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { ArtworkError, type DecodedArtwork, inspectArtwork } from '../src/index.ts'
import { createArtworkDecoder, decodeWithSharp } from '../src/node/decode-artwork.ts'
import { cpuMs } from './measure.ts'

sharp.concurrency(1)
sharp.cache(false)

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) throw new Error('Expected the folder of hostile pictures.')

const decodeArtwork = createArtworkDecoder()
const SIDE_PX = 1500

function targetFor(bytes: Uint8Array) {
  const { widthPx, heightPx } = inspectArtwork(bytes)
  return { minWidthPx: Math.min(SIDE_PX, widthPx), minHeightPx: Math.min(SIDE_PX, heightPx) }
}

const ways: readonly ((bytes: Uint8Array) => Promise<DecodedArtwork>)[] = [
  async bytes => decodeArtwork(bytes, targetFor(bytes)),
  async bytes => decodeWithSharp(inspectArtwork(bytes), targetFor(bytes)),
]

async function outcomeOf(work: Promise<DecodedArtwork>): Promise<string> {
  try {
    const { sourceWidthPx, sourceHeightPx } = await work
    return `decoded ${sourceWidthPx} x ${sourceHeightPx}`
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error
    return error.reason
  }
}

const sums = [0, 0]
const ofJpegs = [0, 0]
const outcomes = new Map<string, number>()
for (const name of (await readdir(folder)).toSorted()) {
  const bytes = await readFile(path.join(folder, name))
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const found = ['', '']
  for (let round = 0; round < Number(values.rounds); round++) {
    // in turns: the first one finds caches cold
    for (const [index, way] of round % 2 === 0 ? [...ways.entries()] : [...ways.entries()].toReversed()) {
      const before = cpuMs()
      found[index] = await outcomeOf(way(bytes))
      best[index] = Math.min(best[index] ?? 0, cpuMs() - before)
    }
  }
  const [ours = 0, libvips = 0] = best
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  for (const sum of isJpeg ? [sums, ofJpegs] : [sums]) {
    sum[0] = (sum[0] ?? 0) + ours
    sum[1] = (sum[1] ?? 0) + libvips
  }
  outcomes.set(found[0] ?? '', (outcomes.get(found[0] ?? '') ?? 0) + 1)
  if (found[0] !== found[1]) {
    console.log(`DIFFERENT ${name}: ${found.join(' / ')}`)
    process.exitCode = 1
  }
  if (Math.max(ours, libvips) > 1) console.log(`${ours.toFixed(1)} / ${libvips.toFixed(1)} ms  ${name}: ${found[0]}`)
}
const line = ([ours = 0, libvips = 0]: readonly number[]): string => `${ours.toFixed(0)} / ${libvips.toFixed(0)} ms`
console.log(`with our decoder / libvips alone: JPEGs ${line(ofJpegs)}, all ${line(sums)}`)
for (const [outcome, count] of outcomes) if (!outcome.startsWith('decoded')) console.log(`${count} ${outcome}`)
