/** Coverage-guided fuzzing of an instrumented decoder that reduces. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { anyReduction } from './any-reduction.ts'
import type { FuzzedDecoder, FuzzedFormat } from './fuzzed-format.ts'
import { Random } from './random.ts'
import { judgeDecoded, reasonOf } from './try-mutants.ts'
import type { Reduction } from './watched-reducing-decoder.ts'

/** Large enough for every feature of the format, small enough to try many files a second. */
const MAX_BYTES = 24_000
/** A run of this many takes seconds: no file of MAX_BYTES may come near. */
const MAX_INSTRUCTIONS = 4e9
/** Accepted mutants without new coverage: one in so many is judged by the library and other garbage. */
const JUDGED_OF = 16
const MOST_SAVED_DEFECTS = 1000

type Entry = { readonly bytes: Buffer; readonly reduction: Reduction }

class Fuzzer {
  readonly #format: FuzzedFormat
  readonly #decoder: FuzzedDecoder
  readonly #random: Random
  readonly #folder: string
  readonly #queue: Entry[] = []
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

  constructor(format: FuzzedFormat, decoder: FuzzedDecoder, folder: string, seed: number) {
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
    await this.try(bytes, random.below(4) === 0 ? anyReduction(random) : entry.reduction)
  }

  async try(bytes: Buffer, reduction: Reduction): Promise<void> {
    const { verdict, violation, instructions, memoryBytes } = this.#decoder.decode(bytes, reduction)
    this.#runs++
    const novelties = this.#decoder.novelties()
    this.#novelties += novelties
    if (novelties > 0) this.#decoder.hits.forEach((hits, i) => hits && (this.#outcomes[i] = 1))
    this.#memoryBytes = Math.max(this.#memoryBytes, memoryBytes)
    this.#instructions = Math.max(this.#instructions, instructions)
    const perByte = instructions / bytes.length
    const isRecord = perByte > this.#perByte * 1.02
    if (isRecord) this.#perByte = perByte
    const reason = 'data' in verdict ? 'decoded' : reasonOf(verdict)
    const known = this.#reasons.get(reason) ?? 0
    this.#reasons.set(reason, known + 1)
    const isKept = novelties > 0 || isRecord || known === 0
    if (isKept) {
      this.#queue.push({ bytes, reduction })
      await this.#save('queue', nameOf(reduction), bytes)
    }
    if (violation !== null) await this.#defect(violation, bytes, reduction)
    if ('trap' in verdict) await this.#defect(reasonOf(verdict), bytes, reduction)
    if (!('data' in verdict)) return
    this.#accepted++
    if (!isKept && this.#random.below(JUDGED_OF) > 0) return
    this.#judged++
    const wrong = await judgeDecoded(this.#format, this.#decoder, bytes, reduction, verdict)
    if (wrong !== null) await this.#defect(wrong, bytes, reduction)
  }

  async #defect(what: string, bytes: Buffer, reduction: Reduction): Promise<void> {
    this.#defects++
    if (this.#defects > MOST_SAVED_DEFECTS) return
    const kind = what.replaceAll(/[^a-z]+/gi, '-').slice(0, 60)
    const file = await this.#save('defects', `${nameOf(reduction)}-${kind}`, bytes)
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

/** A file's name begins with the reduction that it was tried at, in thousandths. */
function nameOf({ x, y }: Reduction): string {
  return [x, y].map(share => String(Math.round(share * 1000)).padStart(4, '0')).join('')
}

const COLUMNS = 'seconds,runs,accepted,judged,queue,outcomes,pairs,defects,memory bytes,instructions,per byte'

/** Fuzzes for as long as the command line says. */
export async function fuzz(format: FuzzedFormat): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      folder: { type: 'string', default: 'fuzz-found' },
      seed: { type: 'string', default: '1' },
    },
  })
  const folder = path.resolve(values.folder)
  for (const part of ['queue', 'defects']) await mkdir(path.join(folder, part), { recursive: true })
  const fuzzer = new Fuzzer(format, await format.load(), folder, Number(values.seed))
  for (const { bytes } of await format.seeds()) {
    for (const x of [1, 0.9, 0.5, 0.3, 0.03]) await fuzzer.try(bytes, { x, y: x })
  }
  for (const name of await readdir(path.join(folder, 'queue'))) {
    const reduction = { x: Number(name.slice(0, 4)) / 1000, y: Number(name.slice(4, 8)) / 1000 }
    await fuzzer.try(await readFile(path.join(folder, 'queue', name)), reduction)
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
