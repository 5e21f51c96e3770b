/**
 * Damaged WebP files through our instrumented decoder and, where it accepts one, through libwebp:
 *
 *   node engine/fuzz/webp-mutants.ts --count 100000 --seed 1
 *
 * Prints the outcomes, and ends with code 1 where a file trapped, touched foreign memory, worked beyond the
 * bound, gave a picture that depends on what memory held before, or was accepted although libwebp warns or
 * draws another picture.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ArtworkError } from '../src/artwork/artwork-error.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import type { DecodedWebp } from '../src/decoding/webp/webp-decoder.ts'
import { reducePicture } from '../test/reference/reduce-reference.ts'
import type { Seed } from './costly-jpegs.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { anyReduction, anyShare } from './mutate-png.ts'
import { mutateWebp } from './mutate-webp.ts'
import { Random } from './random.ts'
import { seedWebps } from './seed-webps.ts'
import type { Reduction } from './watched-png-decoder.ts'
import { WatchedWebpDecoder, type WebpVerdict } from './watched-webp-decoder.ts'

/** A file with a wrong outcome. */
type Defect = { readonly what: string; readonly mutation: string; readonly seed: string; readonly bytes: Buffer }

type WebpTally = {
  accepted: number
  reduced: number
  /** how many were declined, by reason */
  readonly declined: Map<string, number>
  readonly defects: Defect[]
  instructions: number
  memoryBytes: number
}

/** More pixels than this are not compared with the plain definition, which is slow. */
const COMPARED_PX = 20_000

/** What is wrong with an accepted picture; null where nothing is. */
export async function judgeWebp(
  decoder: WatchedWebpDecoder,
  bytes: Buffer,
  reduction: Reduction,
  decoded: DecodedWebp,
): Promise<string | null> {
  const again = decoder.decode(bytes, reduction, 0x5a).verdict
  if (!('data' in again) || !isEqual(again.data, decoded.data)) return 'depends on what memory held'
  const whole = decoder.decode(bytes, { x: 1, y: 1 }).verdict
  if (!('data' in whole)) return 'declined at full size'
  const judgement = await judgeBySharp(inspectArtwork(bytes).bytesToDecode, whole.data)
  if (judgement !== 'equal') return `libwebp: ${judgement}`
  const { widthPx, heightPx } = decoded
  if ((widthPx === whole.widthPx && heightPx === whole.heightPx) || whole.widthPx * whole.heightPx > COMPARED_PX) {
    return null
  }
  const expected = reducePicture(whole, widthPx, heightPx, true)
  return isEqual(expected, decoded.data) ? null : 'differs from the plain definition'
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.length).equals(b)
}

/** Whether the pixels of a part are those of the whole. */
function isCutOut({ data, widthPx, part }: DecodedWebp, whole: DecodedWebp): boolean {
  for (let y = part.top; y < part.bottom; y++) {
    const from = (y * whole.widthPx + part.left) * 4
    const row = data.subarray((y - part.top) * widthPx * 4, (y - part.top + 1) * widthPx * 4)
    if (!isEqual(row, whole.data.subarray(from, from + widthPx * 4))) return false
  }
  return true
}

export function reasonOf(verdict: Exclude<WebpVerdict, DecodedWebp>): string {
  if ('trap' in verdict) return `trap: ${String(verdict.trap)}`
  if (verdict instanceof ArtworkError) return `refused by the inspection: ${verdict.reason}`
  return `${verdict.kind}: ${verdict.message}`
}

/** Tries `total` mutants of `seeds`, reproducible by `seed`. */
export async function tryWebpMutants(
  decoder: WatchedWebpDecoder,
  seeds: readonly Seed[],
  total: number,
  seed: number,
): Promise<WebpTally> {
  const random = new Random(seed)
  const tally: WebpTally = {
    accepted: 0,
    reduced: 0,
    declined: new Map(),
    defects: [],
    instructions: 0,
    memoryBytes: 0,
  }
  for (let i = 0; i < total; i++) {
    const chosen = seeds[random.below(seeds.length)]
    const other = seeds[random.below(seeds.length)]
    if (!chosen || !other) throw new Error('There is nothing to mutate')
    const { bytes, name } = mutateWebp(chosen.bytes, other.bytes, random, random.pick([1, 1, 1, 3]))
    const reduction = anyReduction(random)
    const defect = (what: string): number =>
      tally.defects.push({
        what: `${what} at ${reduction.x} x ${reduction.y}`,
        mutation: name,
        seed: chosen.name,
        bytes,
      })
    const { verdict, violation, instructions, memoryBytes } = decoder.decode(bytes, reduction)
    tally.instructions = Math.max(tally.instructions, instructions)
    tally.memoryBytes = Math.max(tally.memoryBytes, memoryBytes)
    if (violation !== null) defect(violation)
    if ('trap' in verdict) defect(reasonOf(verdict))
    const part = decoder.decode(bytes, reduction, 0xa5, anyShare(random))
    if (part.violation !== null) defect(`${part.violation}, of a part`)
    if (!('data' in verdict)) {
      const reason = reasonOf(verdict)
      tally.declined.set(reason, (tally.declined.get(reason) ?? 0) + 1)
      // All rows are judged, whatever part is wanted.
      if ('data' in part.verdict) defect('a part is accepted')
      continue
    }
    tally.accepted++
    if (verdict.widthPx * verdict.heightPx > 0 && (reduction.x < 1 || reduction.y < 1)) tally.reduced++
    if (!('data' in part.verdict) || !isCutOut(part.verdict, verdict)) defect('another part')
    const wrong = await judgeWebp(decoder, bytes, reduction, verdict)
    if (wrong !== null) defect(wrong)
  }
  return tally
}

function table<K>(map: ReadonlyMap<K, number>): string {
  return [...map]
    .toSorted((a, b) => b[1] - a[1])
    .map(([key, value]) => `${String(value).padStart(9)}  ${String(key)}`)
    .join('\n')
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string' },
    },
  })
  const total = Number(values.count)
  const seeds = await seedWebps()
  const tally = await tryWebpMutants(await WatchedWebpDecoder.load(), seeds, total, Number(values.seed))
  console.log(`${total} mutants: ${tally.accepted} accepted, ${tally.reduced} of them reduced`)
  console.log(`most instructions ${tally.instructions}, most memory ${tally.memoryBytes} bytes`)
  console.log(`declined:\n${table(tally.declined)}`)
  const kinds = new Map<string, number>()
  for (const [i, { what, mutation, seed, bytes }] of tally.defects.entries()) {
    const kind = `${mutation} of ${seed}: ${what}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (values.folder === undefined || i >= 200) continue
    await mkdir(values.folder, { recursive: true })
    await writeFile(path.join(values.folder, `${i}-${what.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}.webp`), bytes)
  }
  console.log(`${tally.defects.length} defects\n${table(kinds)}`)
  if (tally.defects.length > 0) process.exitCode = 1
}

if (import.meta.main) await main()
