/** Damaged files through an instrumented decoder and, where that accepts one, through a library. */
import { ArtworkError } from '../src/artwork/artwork-error.ts'
import type { FuzzedDecoder, FuzzedFormat } from './fuzzed-format.ts'
import { Random } from './random.ts'
import type { DecodedPart, Verdict } from './watched-run.ts'

/** A file with a wrong outcome. */
type Defect = { readonly what: string; readonly mutation: string; readonly seed: string; readonly bytes: Buffer }

type MutantTally = {
  accepted: number
  reduced: number
  /** how many were declined, by reason */
  readonly declined: Map<string, number>
  readonly defects: Defect[]
  instructions: number
  memoryBytes: number
}

/** What is wrong with an accepted picture; null where nothing is. */
export async function judgeDecoded<Scale, Picture extends DecodedPart>(
  format: FuzzedFormat<Scale, Picture>,
  decoder: FuzzedDecoder<Scale, Picture>,
  bytes: Buffer,
  scale: Scale,
  decoded: Picture,
): Promise<string | null> {
  const again = decoder.decode(bytes, scale, 0x5a).verdict
  if (!('data' in again) || !isEqual(again.data, decoded.data)) return 'depends on what memory held'
  return format.judge(decoder, bytes, scale, decoded)
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.length).equals(b)
}

/** Whether the pixels of a part are those of the whole. */
function isCutOut({ data, widthPx, part }: DecodedPart, whole: DecodedPart): boolean {
  for (let y = part.top; y < part.bottom; y++) {
    const from = (y * whole.widthPx + part.left) * 4
    const row = data.subarray((y - part.top) * widthPx * 4, (y - part.top + 1) * widthPx * 4)
    if (!isEqual(row, whole.data.subarray(from, from + widthPx * 4))) return false
  }
  return true
}

export function reasonOf(verdict: Exclude<Verdict, DecodedPart>): string {
  if ('trap' in verdict) return `trap: ${String(verdict.trap)}`
  if (verdict instanceof ArtworkError) return `refused by the inspection: ${verdict.reason}`
  return `${verdict.kind}: ${verdict.message.replaceAll(/\d+/g, 'N')}`
}

/** Tries `total` mutants of the format's files, reproducible by `seed`. */
export async function tryMutants<Scale, Picture extends DecodedPart>(
  format: FuzzedFormat<Scale, Picture>,
  decoder: FuzzedDecoder<Scale, Picture>,
  total: number,
  seed: number,
): Promise<MutantTally> {
  const seeds = await format.seeds()
  const random = new Random(seed)
  const tally: MutantTally = {
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
    const { bytes, name } = format.mutate(chosen.bytes, other.bytes, random, random.pick([1, 1, 1, 3]))
    const scale = format.scales.any(random)
    const defect = (what: string): number =>
      tally.defects.push({
        what: `${what} at ${format.scales.write(scale)}`,
        mutation: name,
        seed: chosen.name,
        bytes,
      })
    const { verdict, violation, instructions, memoryBytes } = decoder.decode(bytes, scale)
    tally.instructions = Math.max(tally.instructions, instructions)
    tally.memoryBytes = Math.max(tally.memoryBytes, memoryBytes)
    if (violation !== null) defect(violation)
    if ('trap' in verdict) defect(reasonOf(verdict))
    const part = decoder.decode(bytes, scale, 0xa5, format.scales.anyShare(random))
    if (part.violation !== null) defect(`${part.violation}, of a part`)
    if ('trap' in part.verdict) defect(`${reasonOf(part.verdict)}, of a part`)
    if (!('data' in verdict)) {
      const reason = reasonOf(verdict)
      tally.declined.set(reason, (tally.declined.get(reason) ?? 0) + 1)
      if ('data' in part.verdict && format.judgesWhole) defect('a part is accepted')
      continue
    }
    tally.accepted++
    if (format.scales.isReduced(scale)) tally.reduced++
    if (!('data' in part.verdict) || !isCutOut(part.verdict, verdict)) defect('another part')
    const wrong = await judgeDecoded(format, decoder, bytes, scale, verdict)
    if (wrong !== null) defect(wrong)
  }
  return tally
}
