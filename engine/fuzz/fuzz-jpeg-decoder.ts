/**
 * Coverage-guided fuzzing of our JPEG decoder, on one core:
 *
 *   node engine/fuzz/fuzz-jpeg-decoder.ts --minutes 60 --folder found --seed 1
 *
 * The committed kernel runs instrumented (watched-decoder.ts). A mutant joins the queue if it takes branches
 * in a new order or a new number of times, or works more per byte than any before. In the folder: `queue`
 * (read again by the next run), `defects` (traps, accesses outside, pictures that depend on what memory held
 * before, differences to libjpeg-turbo) and `log.csv`. Ends with code 1 where there was a defect.
 */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Eighths } from '../src/decoding/jpeg/jpeg-layout.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { anyScale, mutateJpeg } from './mutate-jpeg.ts'
import { Random } from './random.ts'
import { seedJpegs } from './seed-jpegs.ts'
import { type Run, WatchedDecoder } from './watched-decoder.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    folder: { type: 'string', default: 'fuzz-found' },
    seed: { type: 'string', default: '1' },
  },
})

/** Large enough for every feature of the format, small enough to try many files a second. */
const MAX_BYTES = 24_000
const MAX_MEMORY_BYTES_TO_KEEP = 64 * 1024 * 1024
/** A run of this many takes seconds: no file of MAX_BYTES may come near. */
const MAX_INSTRUCTIONS = 4e9
/** Accepted mutants without new coverage: one in so many is judged by libjpeg-turbo and other garbage. */
const JUDGED_OF = 16

type Entry = { readonly bytes: Buffer; readonly eighths: Eighths }

/** A file's name begins with the scale that it was tried at: eighths across, eighths down. */
function prefix({ x, y }: Eighths): string {
  return `${x}${y}`
}

class Fuzzer {
  readonly #decoder: WatchedDecoder
  readonly #random: Random
  readonly #folder: string
  readonly #queue: Entry[] = []
  readonly #messages = new Map<string, number>()
  readonly #differences = new Map<string, number>()
  readonly #outcomes: Uint8Array
  #novelties = 0
  #runs = 0
  #accepted = 0
  #judged = 0
  #defects = 0
  #memoryBytes = 0
  #instructions = 0
  #perByte = 0
  #perPixel = 0

  constructor(decoder: WatchedDecoder, folder: string, seed: number) {
    this.#decoder = decoder
    this.#folder = folder
    this.#random = new Random(seed)
    this.#outcomes = new Uint8Array(decoder.outcomes)
    decoder.limitInstructions(MAX_INSTRUCTIONS)
  }

  get defects(): number {
    return this.#defects
  }

  get size(): number {
    return this.#queue.length
  }

  /** Mutates one of the queue, mostly one of the latest. */
  async step(): Promise<void> {
    const random = this.#random
    const count = this.#queue.length
    const recent = random.below(2) === 0 ? count - 1 - random.below(Math.min(count, 64)) : random.below(count)
    const entry = this.#queue[recent]
    const other = this.#queue[random.below(count)]
    if (!entry || !other) throw new Error('The queue is empty')
    const { bytes } = mutateJpeg(entry.bytes, other.bytes, random, random.pick([1, 1, 4]))
    if (bytes.length > MAX_BYTES) return
    await this.try(bytes, random.below(4) === 0 ? anyScale(random) : entry.eighths)
  }

  async try(bytes: Buffer, eighths: Eighths): Promise<void> {
    const run = this.#decoder.decode(bytes, eighths)
    this.#runs++
    const novelties = this.#decoder.novelties()
    this.#novelties += novelties
    if (novelties > 0) this.#decoder.hits.forEach((hits, i) => hits && (this.#outcomes[i] = 1))
    const isRecord = this.#measure(run, bytes, eighths)
    const isNewMessage = this.#note(run)
    const isKept = novelties > 0 || isRecord || isNewMessage
    if (isKept) {
      this.#queue.push({ bytes, eighths })
      await this.#save('queue', prefix(eighths), bytes)
    }
    if (run.violation) await this.#defect(`access: ${run.violation}`, bytes, eighths)
    if ('trap' in run.verdict) await this.#defect(`trap: ${String(run.verdict.trap)}`, bytes, eighths)
    if (!('data' in run.verdict)) return
    this.#accepted++
    if (isKept || this.#random.below(JUDGED_OF) === 0) await this.#judge(bytes, eighths, run.verdict.data)
  }

  #measure(run: Run, bytes: Buffer, eighths: Eighths): boolean {
    this.#memoryBytes = Math.max(this.#memoryBytes, run.memoryBytes)
    this.#instructions = Math.max(this.#instructions, run.instructions)
    const perByte = run.instructions / bytes.length
    const isRecord = perByte > this.#perByte * 1.02 && run.memoryBytes < MAX_MEMORY_BYTES_TO_KEEP
    if (isRecord) this.#perByte = perByte
    if ('data' in run.verdict) {
      const pixels = run.verdict.widthPx * run.verdict.heightPx * (64 / (eighths.x * eighths.y))
      if (run.instructions > this.#perPixel * pixels * 1.02) {
        this.#perPixel = run.instructions / pixels
        return true
      }
    }
    return isRecord
  }

  #note({ verdict }: Run): boolean {
    const message = 'data' in verdict ? 'decoded' : 'trap' in verdict ? 'trap' : verdict.message.replaceAll(/\d+/g, 'N')
    const before = this.#messages.get(message) ?? 0
    this.#messages.set(message, before + 1)
    return before === 0
  }

  async #judge(bytes: Buffer, eighths: Eighths, data: Uint8Array): Promise<void> {
    this.#judged++
    const again = this.#decoder.decode(bytes, eighths, 0x5a)
    if (!('data' in again.verdict) || !Buffer.from(data).equals(again.verdict.data))
      await this.#defect('depends on what memory held', bytes, eighths)
    if (eighths.x !== 8 || eighths.y !== 8) return
    const judgement = await judgeBySharp(bytes, data)
    this.#differences.set(judgement, (this.#differences.get(judgement) ?? 0) + 1)
    if (judgement !== 'equal') await this.#defect(`libjpeg-turbo: ${judgement}`, bytes, eighths)
  }

  async #defect(what: string, bytes: Buffer, eighths: Eighths): Promise<void> {
    this.#defects++
    if (this.#defects > 1000) return
    const file = await this.#save(
      'defects',
      `${what.replaceAll(/[^a-z]+/gi, '-').slice(0, 60)}-${prefix(eighths)}`,
      bytes,
    )
    if (this.#defects < 50) console.log(`DEFECT ${what} at ${prefix(eighths)}: ${file}`)
  }

  async #save(folder: string, prefix: string, bytes: Buffer): Promise<string> {
    const file = path.join(
      this.#folder,
      folder,
      `${prefix}-${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}.jpg`,
    )
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
      Math.round(this.#perPixel),
    ]
    await appendFile(path.join(this.#folder, 'log.csv'), `${row.join(',')}\n`)
  }

  report(): string {
    const sorted = (map: ReadonlyMap<string, number>): string =>
      [...map]
        .toSorted((a, b) => b[1] - a[1])
        .map(([text, count]) => `${String(count).padStart(10)}  ${text}`)
        .join('\n')
    const missed = [...this.#outcomes].flatMap((hit, i) => (hit ? [] : [i]))
    return [
      `${this.#runs} runs, ${this.#accepted} accepted, ${this.#judged} judged, ${this.#defects} defects`,
      `${this.#outcomes.length - missed.length} of ${this.#outcomes.length} outcomes of branches (never: ${missed.join(' ')})`,
      `${this.#novelties} pairs and counts, ${this.#queue.length} in the queue`,
      `most memory ${this.#memoryBytes}, most instructions ${this.#instructions}, per byte ${Math.round(this.#perByte)}`,
      sorted(this.#messages),
      sorted(this.#differences),
    ].join('\n')
  }
}

const folder = path.resolve(values.folder)
for (const part of ['queue', 'defects']) await mkdir(path.join(folder, part), { recursive: true })
const fuzzer = new Fuzzer(await WatchedDecoder.load(), folder, Number(values.seed))
for (const { bytes } of await seedJpegs()) {
  for (const x of [8, 1, 2, 3, 4, 5, 6, 7]) {
    await fuzzer.try(bytes, { x, y: x })
    await fuzzer.try(bytes, { x, y: 9 - x })
  }
}
for (const name of await readdir(path.join(folder, 'queue')))
  await fuzzer.try(await readFile(path.join(folder, 'queue', name)), { x: Number(name[0]), y: Number(name[1]) })
await appendFile(
  path.join(folder, 'log.csv'),
  'seconds,runs,accepted,judged,queue,outcomes,pairs,defects,memory bytes,instructions,per byte,per pixel\n',
)
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
