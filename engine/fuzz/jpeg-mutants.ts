/**
 * Damaged JPEG files through our instrumented decoder and, where it accepts one, through libjpeg-turbo:
 *
 *   node engine/fuzz/jpeg-mutants.ts --count 100000 --seed 1
 *
 * Prints the outcomes, and ends with code 1 where a file trapped, touched foreign memory, gave a picture that
 * depends on what memory held before, or was accepted although libjpeg-turbo warns or draws another picture.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { DecodedJpeg } from '../src/decoding/jpeg/jpeg-decoder.ts'
import type { Eighths } from '../src/decoding/jpeg/jpeg-layout.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import type { Seed } from './costly-jpegs.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { anyScale, mutateJpeg, segmentsOf } from './mutate-jpeg.ts'
import { Random } from './random.ts'
import { seedJpegs } from './seed-jpegs.ts'
import { WatchedDecoder } from './watched-decoder.ts'

/** A file with a wrong outcome. */
export type Defect = { readonly what: string; readonly mutation: string; readonly seed: string; readonly bytes: Buffer }

export type MutantTally = {
  /** how many were accepted at each scale */
  readonly accepted: Map<string, number>
  /** how many were declined, by reason */
  readonly declined: Map<string, number>
  /** what libjpeg-turbo says of those accepted at full size, by mutation */
  readonly judgements: Map<string, Map<string, number>>
  readonly defects: Defect[]
  instructions: number
  memoryBytes: number
}

/** A part of a picture, often outside it or empty. */
function anyPart(random: Random, sound: Uint8Array, eighths: Eighths): Part {
  const frame = segmentsOf(sound).find(({ marker }) => marker >= 0xc0 && marker <= 0xc2)
  const sidePx = (offset: number): number =>
    (sound[(frame?.at ?? 0) + offset] ?? 0) * 256 + (sound[(frame?.at ?? 0) + offset + 1] ?? 0)
  const range = (sizePx: number): readonly [number, number] => {
    const from = random.next() * 1.2 * sizePx - 0.1 * sizePx
    return [from, from + (random.next() ** 2 - 0.02) * sizePx]
  }
  const [left, right] = range((sidePx(7) * eighths.x) / 8)
  const [top, bottom] = range((sidePx(5) * eighths.y) / 8)
  return { left, top, right, bottom }
}

/** Whether the pixels of a part are those of the whole. */
function isCutOut({ data, widthPx, part }: DecodedJpeg, whole: DecodedJpeg): boolean {
  for (let y = part.top; y < part.bottom; y++) {
    const from = (y * whole.widthPx + part.left) * 4
    const row = data.subarray((y - part.top) * widthPx * 4, (y - part.top + 1) * widthPx * 4)
    if (!Buffer.from(row).equals(whole.data.subarray(from, from + widthPx * 4))) return false
  }
  return true
}

function count<K>(map: Map<K, number>, key: K): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}

/** Tries `total` mutants of `seeds`, reproducible by `seed`. Most at full size, where all can be compared. */
export async function tryMutants(
  decoder: WatchedDecoder,
  seeds: readonly Seed[],
  total: number,
  seed: number,
): Promise<MutantTally> {
  const random = new Random(seed)
  const ofParts = new Random(~seed)
  const tally: MutantTally = {
    accepted: new Map(),
    declined: new Map(),
    judgements: new Map(),
    defects: [],
    instructions: 0,
    memoryBytes: 0,
  }
  for (let i = 0; i < total; i++) {
    const chosen = seeds[random.below(seeds.length)]
    const other = seeds[random.below(seeds.length)]
    if (!chosen || !other) throw new Error('There is nothing to mutate')
    const { bytes, name } = mutateJpeg(chosen.bytes, other.bytes, random, random.pick([1, 1, 1, 3]))
    const eighths = anyScale(random)
    const scale = `${eighths.x}/8 x ${eighths.y}/8`
    const defect = (what: string): number =>
      tally.defects.push({ what: `${what} at ${scale}`, mutation: name, seed: chosen.name, bytes })
    const { verdict, violation, instructions, memoryBytes } = decoder.decode(bytes, eighths)
    const part = decoder.decode(bytes, eighths, 0xa5, anyPart(ofParts, chosen.bytes, eighths))
    if (part.violation !== null) defect(`${part.violation}, of a part`)
    if ('trap' in part.verdict) defect(`trap: ${String(part.verdict.trap)}, of a part`)
    // Coefficients outside the part are not checked: a part may be accepted of a picture that is not.
    if ('data' in verdict && !('data' in part.verdict && isCutOut(part.verdict, verdict))) defect('another part')
    tally.instructions = Math.max(tally.instructions, instructions)
    tally.memoryBytes = Math.max(tally.memoryBytes, memoryBytes)
    if (violation !== null) defect(violation)
    if ('trap' in verdict) defect(`trap: ${String(verdict.trap)}`)
    else if (!('data' in verdict)) count(tally.declined, `${verdict.kind}: ${verdict.message.replaceAll(/\d+/g, 'N')}`)
    else {
      count(tally.accepted, scale)
      const again = decoder.decode(bytes, eighths, 0x5a).verdict
      if (!('data' in again) || !Buffer.from(verdict.data).equals(again.data)) defect('depends on what memory held')
      if (eighths.x !== 8 || eighths.y !== 8) continue
      const judgement = await judgeBySharp(bytes, verdict.data)
      const ofMutation = tally.judgements.get(name) ?? new Map<string, number>()
      tally.judgements.set(name, ofMutation)
      count(ofMutation, judgement)
      if (judgement !== 'equal') defect(`libjpeg-turbo: ${judgement}`)
    }
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
  const tally = await tryMutants(await WatchedDecoder.load(), await seedJpegs(), total, Number(values.seed))
  const sum = (map: ReadonlyMap<unknown, number>): number => [...map.values()].reduce((a, b) => a + b, 0)
  console.log(`${total} mutants: ${sum(tally.accepted)} accepted, ${sum(tally.declined)} declined`)
  console.log(`most instructions ${tally.instructions}, most memory ${tally.memoryBytes} bytes`)
  console.log(`accepted at each scale:\n${table(tally.accepted)}\ndeclined:\n${table(tally.declined)}`)
  console.log('accepted at full size, by mutation and what libjpeg-turbo says:')
  for (const [mutation, judgements] of tally.judgements) console.log(`  ${mutation}\n${table(judgements)}`)
  const kinds = new Map<string, number>()
  for (const [i, { what, mutation, bytes }] of tally.defects.entries()) {
    count(kinds, `${mutation}: ${what}`)
    if (values.folder === undefined || i >= 200) continue
    await mkdir(values.folder, { recursive: true })
    await writeFile(path.join(values.folder, `${i}-${what.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}.jpg`), bytes)
  }
  console.log(`${tally.defects.length} defects\n${table(kinds)}`)
  if (tally.defects.length > 0) process.exitCode = 1
}

if (import.meta.main) await main()
