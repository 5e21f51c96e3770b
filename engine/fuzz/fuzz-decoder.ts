/**
 * Coverage-guided fuzzing of one of our decoders, on one core:
 *
 *   node engine/fuzz/fuzz-decoder.ts jpeg --minutes 60 --folder found --seed 1
 *
 * The committed kernel runs instrumented (watched-decoder.ts). A mutant joins the queue if it takes branches
 * in a new order or a new number of times, works more per byte than any before, or is declined for a new
 * reason. In the folder: `queue` (read again by the next run), `defects` (traps, accesses outside, pictures
 * that depend on what memory held before, differences to the reference decoder and, for PNG and WebP, to the
 * plain definition) and `log.csv`. Ends with code 1 where there was one.
 */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { FuzzedDecoder, FuzzedFormat } from './fuzzed-format.ts'
import { fuzzedJpeg } from './fuzzed-jpeg.ts'
import { fuzzedPng } from './fuzzed-png.ts'
import { fuzzedWebp } from './fuzzed-webp.ts'
import { Random } from './random.ts'
import { judgeDecoded, reasonOf } from './try-mutants.ts'
import type { DecodedPart } from './watched-run.ts'

/** Large enough for every feature of the format, small enough to try many files a second. */
const MAX_BYTES = 24_000
/**
 * A run of this many takes many seconds. Reducing 100 megapixels of one colour, which a WebP of 40 bytes may
 * have, takes up to four fifths; nothing else of MAX_BYTES may come near.
 */
const MAX_INSTRUCTIONS = 20e9
/** Accepted mutants without new coverage: one in so many is judged by the library and other garbage. */
const JUDGED_OF = 16
const MOST_SAVED_DEFECTS = 1000
/** Files that need more are tried slowly, and are not kept for their work alone. */
const MOST_KEPT_MEMORY_BYTES = 64 * 1024 * 1024

type Entry<Scale> = { readonly bytes: Buffer; readonly scale: Scale }

class Fuzzer<Scale, Picture extends DecodedPart> {
  readonly #format: FuzzedFormat<Scale, Picture>
  readonly #decoder: FuzzedDecoder<Scale, Picture>
  readonly #random: Random
  readonly #folder: string
  readonly #queue: Entry<Scale>[] = []
  readonly #reasons = new Map<string, number>()
  readonly #outcomes: Uint8Array
  #novelties = 0
  #runs = 0
  #accepted = 0
  #judged = 0
  #defects = 0
  #memoryBytes = 0
  #instructions = 0
  #perByte = 0

  constructor(
    format: FuzzedFormat<Scale, Picture>,
    decoder: FuzzedDecoder<Scale, Picture>,
    folder: string,
    seed: number,
  ) {
    this.#format = format
    this.#decoder = decoder
    this.#folder = folder
    this.#random = new Random(seed)
    this.#outcomes = new Uint8Array(decoder.outcomes)
    decoder.limitInstructions(MAX_INSTRUCTIONS)
  }

  get defects(): number {
    return this.#defects
  }

  /** Mutates one of the queue, mostly one of the latest. */
  async step(): Promise<void> {
    const random = this.#random
    const count = this.#queue.length
    const recent = random.below(2) === 0 ? count - 1 - random.below(Math.min(count, 64)) : random.below(count)
    const entry = this.#queue[recent]
    const other = this.#queue[random.below(count)]
    if (!entry || !other) throw new Error('The queue is empty')
    const { bytes } = this.#format.mutate(entry.bytes, other.bytes, random, random.pick([1, 1, 4]))
    if (bytes.length > MAX_BYTES) return
    await this.try(bytes, random.below(4) === 0 ? this.#format.scales.any(random) : entry.scale)
  }

  async try(bytes: Buffer, scale: Scale): Promise<void> {
    const { verdict, violation, instructions, memoryBytes } = this.#decoder.decode(bytes, scale)
    this.#runs++
    const novelties = this.#decoder.novelties()
    this.#novelties += novelties
    if (novelties > 0) this.#decoder.hits.forEach((hits, i) => hits && (this.#outcomes[i] = 1))
    this.#memoryBytes = Math.max(this.#memoryBytes, memoryBytes)
    this.#instructions = Math.max(this.#instructions, instructions)
    const perByte = instructions / bytes.length
    const isRecord = perByte > this.#perByte * 1.02 && memoryBytes < MOST_KEPT_MEMORY_BYTES
    if (isRecord) this.#perByte = perByte
    const reason = 'data' in verdict ? 'decoded' : reasonOf(verdict)
    const known = this.#reasons.get(reason) ?? 0
    this.#reasons.set(reason, known + 1)
    const isKept = novelties > 0 || isRecord || known === 0
    if (isKept) {
      this.#queue.push({ bytes, scale })
      await this.#save('queue', this.#format.scales.write(scale), bytes)
    }
    if (violation !== null) await this.#defect(violation, bytes, scale)
    if ('trap' in verdict) await this.#defect(reasonOf(verdict), bytes, scale)
    if (!('data' in verdict)) return
    this.#accepted++
    if (!isKept && this.#random.below(JUDGED_OF) > 0) return
    this.#judged++
    const wrong = await judgeDecoded(this.#format, this.#decoder, bytes, scale, verdict)
    if (wrong !== null) await this.#defect(wrong, bytes, scale)
  }

  async #defect(what: string, bytes: Buffer, scale: Scale): Promise<void> {
    this.#defects++
    if (this.#defects > MOST_SAVED_DEFECTS) return
    const kind = what.replaceAll(/[^a-z]+/gi, '-').slice(0, 60)
    const file = await this.#save('defects', `${this.#format.scales.write(scale)}-${kind}`, bytes)
    console.log(`DEFECT ${what}: ${file}`)
  }

  async #save(folder: string, prefix: string, bytes: Buffer): Promise<string> {
    const name = `${prefix}-${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}.${this.#format.extension}`
    const file = path.join(this.#folder, folder, name)
    await writeFile(file, bytes)
    return file
  }

  async log(seconds: number): Promise<void> {
    const row = [
      Math.round(seconds),
      this.#runs,
      this.#accepted,
      this.#judged,
      this.#queue.length,
      this.#outcomes.reduce((sum, hit) => sum + hit, 0),
      this.#novelties,
      this.#defects,
      this.#memoryBytes,
      this.#instructions,
      Math.round(this.#perByte),
    ]
    await appendFile(path.join(this.#folder, 'log.csv'), `${row.join(',')}\n`)
  }

  report(): string {
    const reasons = [...this.#reasons]
      .toSorted((a, b) => b[1] - a[1])
      .map(([text, count]) => `${String(count).padStart(10)}  ${text}`)
    const hit = this.#outcomes.reduce((sum, found) => sum + found, 0)
    return [
      `${this.#runs} runs, ${this.#accepted} accepted, ${this.#judged} judged, ${this.#defects} defects`,
      `${hit} of ${this.#outcomes.length} outcomes of branches, ${this.#novelties} pairs and counts`,
      `most memory ${this.#memoryBytes}, most instructions ${this.#instructions}, per byte ${Math.round(this.#perByte)}`,
      ...reasons,
    ].join('\n')
  }
}

const COLUMNS = 'seconds,runs,accepted,judged,queue,outcomes,pairs,defects,memory bytes,instructions,per byte'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    folder: { type: 'string', default: 'fuzz-found' },
    seed: { type: 'string', default: '1' },
  },
})
const [format] = positionals
if (format === 'jpeg') await fuzz(fuzzedJpeg)
else if (format === 'png') await fuzz(fuzzedPng)
else if (format === 'webp') await fuzz(fuzzedWebp)
else throw new Error('Expected jpeg, png or webp.')

async function fuzz<Scale, Picture extends DecodedPart>(format: FuzzedFormat<Scale, Picture>): Promise<void> {
  const folder = path.resolve(values.folder)
  for (const part of ['queue', 'defects']) await mkdir(path.join(folder, part), { recursive: true })
  const fuzzer = new Fuzzer(format, await format.load(), folder, Number(values.seed))
  for (const { bytes } of await format.seeds()) {
    for (const scale of format.scales.ofSeeds) await fuzzer.try(bytes, scale)
  }
  for (const name of await readdir(path.join(folder, 'queue'))) {
    await fuzzer.try(await readFile(path.join(folder, 'queue', name)), format.scales.read(name))
  }
  await appendFile(path.join(folder, 'log.csv'), `${COLUMNS}\n`)
  const startedMs = performance.now()
  const seconds = (): number => (performance.now() - startedMs) / 1000
  for (let nextLog = 0; seconds() < Number(values.minutes) * 60; ) {
    for (let i = 0; i < 100; i++) await fuzzer.step()
    if (seconds() < nextLog) continue
    await fuzzer.log(seconds())
    nextLog = seconds() + 30
  }
  await fuzzer.log(seconds())
  console.log(fuzzer.report())
  process.exitCode = fuzzer.defects > 0 ? 1 : 0
}
