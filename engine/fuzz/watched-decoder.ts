import { readFile } from 'node:fs/promises'
import { compileAssembly, kernelFile } from '../kernels/build.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
import { type DecodedJpeg, JpegDecoder } from '../src/decoding/jpeg/jpeg-decoder.ts'
import {
  COSINES,
  DYNAMIC,
  type Eighths,
  HUFFMAN,
  HUFFMAN_INPUT,
  type JpegLayout,
  PICTURE,
  PREDICTORS,
  type RegionName,
  SCAN,
  SCRATCH,
  SLACK_BYTES,
} from '../src/decoding/jpeg/jpeg-layout.ts'
import type { PixelMemory } from '../src/decoding/reused-memory.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { KernelInstance } from '../src/kernels/kernel-instance.ts'
import { instrumentModule } from './instrument-module.ts'
import { segmentsOf } from './mutate-jpeg.ts'

/** The outcome of a file. A `trap` is always a defect. */
export type Verdict = DecodedJpeg | DeclinedError | { readonly trap: unknown }

export type Run = {
  readonly verdict: Verdict
  /** WebAssembly instructions executed (16 bytes of a fill or copy are one): a constant of the file */
  readonly instructions: number
  /** the most instructions that a file of this size and claim may take */
  readonly instructionBound: number
  /** of the kernel's memory, for the picture; 0 where the file was refused before */
  readonly memoryBytes: number
  /** the first access outside its region, changed memory between regions, or work beyond the bound */
  readonly violation: string | null
}

/**
 * Work is linear in a file's bytes and in its claimed size, and the size is bounded by the bytes: a block
 * takes at least one bit, and there are at most 64 scans. The worst known files (costly-jpegs.ts) take more
 * than half of this.
 */
function instructionBoundOf(bytes: Uint8Array, { planes, part }: JpegLayout): number {
  const scans = Math.min(64, segmentsOf(bytes).filter(({ marker }) => marker === 0xda).length)
  const blocks = planes.reduce((sum, { storedX, storedY }) => sum + storedX * storedY, 0)
  const tables = 8 + 3 * scans
  return (
    450_000 * tables +
    450 * bytes.length +
    (400 + 70 * scans) * blocks +
    20 * (part.right - part.left) * (part.bottom - part.top)
  )
}

const READ = 1
const WRITE = 2

/** What the kernel may do with the memory of each purpose. */
const uses: Readonly<Record<RegionName, number>> = {
  source: READ,
  data: READ | WRITE,
  segments: READ | WRITE,
  samples: READ | WRITE,
  stored: READ | WRITE,
  lines: READ | WRITE,
  out: WRITE,
}

/** The same for the fixed regions: from here to the beginning of the next. */
const fixedUses = [
  [COSINES, READ],
  [PREDICTORS, READ | WRITE],
  [PICTURE, READ | WRITE],
  [SCAN, READ],
  [SCRATCH, READ | WRITE],
  [HUFFMAN, READ | WRITE],
  [HUFFMAN_INPUT, READ],
  [DYNAMIC, 0],
] as const

/** Between regions; more than any vector and than a row of blocks of a small picture. */
const GAP_BYTES = 1024

/** After the last region. Checked after each picture, as the gaps are. */
const GUARD_BYTES = 4096

/** Kept no longer than this, as the decoder does with its own. */
const MAX_KEPT_BYTES = 96 * 1024 * 1024

/**
 * Our decoder with the shipped kernel, instrumented. Each load and store must stay in its region. All memory,
 * that of the result too, is garbage before a picture. Unlike the real decoder, an instance is used again
 * after a refusal.
 */
export class WatchedDecoder {
  /** outcomes of branches that the kernel has */
  readonly outcomes: number
  readonly #probes: KernelInstance
  readonly #probe: (name: string) => (...args: number[]) => number
  readonly #decoder: JpegDecoder
  readonly #module: WebAssembly.Module
  readonly #hitsAt: number
  #instance: KernelInstance | null = null
  #layout: JpegLayout | null = null
  #garbage = 0
  #gaps: readonly (readonly [from: number, end: number])[] = []
  /** where the memory that the last picture was allowed to use ends */
  #allowedEnd = 0

  constructor(kernel: Uint8Array, probes: Uint8Array, gapBytes = GAP_BYTES) {
    const { bytes, outcomes } = instrumentModule(kernel)
    this.outcomes = outcomes
    this.#module = new WebAssembly.Module(bytes)
    this.#probes = new KernelInstance(new WebAssembly.Module(probes))
    const functions = new Map<string, (...args: number[]) => number>()
    this.#probe = name => {
      const found = functions.get(name) ?? this.#probes.function(name)
      functions.set(name, found)
      return found
    }
    this.#hitsAt = this.#probe('hitsAddress')()
    this.#allowFixed()
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decoder = new JpegDecoder(this.#module, memory, {
      gapBytes,
      instantiate: module => (this.#instance ??= this.#instantiate(module)),
      laidOut: layout => this.#watch(layout),
    })
  }

  /** With the committed kernel. Compiling the probes takes a second or two. */
  static async load(): Promise<WatchedDecoder> {
    return new WatchedDecoder(await readFile(kernelFile('jpeg-decoder')), await compileAssembly('probes'))
  }

  /** `garbage`: the byte that all memory holds before the picture. `part`: the wanted part of the picture. */
  decode(bytes: Uint8Array, eighths: Eighths, garbage = 0xa5, part: Part | null = null): Run {
    this.#probe('beginRun')()
    this.#layout = null
    this.#garbage = garbage
    let verdict: Verdict
    try {
      verdict = this.#decoder.decode(bytes, eighths.x, eighths.y, part)
    } catch (error) {
      verdict = error instanceof DeclinedError ? error : { trap: error }
    }
    const instructions = this.#probe('workDone')()
    const instructionBound = this.#layout === null ? 0 : instructionBoundOf(bytes, this.#layout)
    const run = {
      verdict,
      instructions,
      instructionBound,
      memoryBytes: this.#layout === null ? 0 : (this.#instance?.sizeBytes ?? 0),
      violation:
        this.#violation() ??
        (this.#layout && instructions > instructionBound
          ? `${instructions} of ${instructionBound} instructions`
          : null),
    }
    if ((this.#instance?.sizeBytes ?? 0) > MAX_KEPT_BYTES || 'trap' in verdict || run.violation) this.#instance = null
    return run
  }

  /** How many pairs of branches, or numbers of times they were taken, the last run was the first to have. */
  novelties(): number {
    return this.#probe('novelties')()
  }

  /** Runs of more instructions than this end in a trap. */
  limitInstructions(instructions: number): void {
    this.#probe('limitWork')(instructions)
  }

  /** How often the last run hit each outcome of each branch, up to 255. A view: copy what is kept. */
  get hits(): Uint8Array {
    return this.#probes.bytes.subarray(this.#hitsAt, this.#hitsAt + this.outcomes)
  }

  #instantiate(module: WebAssembly.Module): KernelInstance {
    const names = ['enter', 'branch', 'choose', 'tick', 'read', 'write', 'fill', 'copy']
    return new KernelInstance(module, {
      probes: Object.fromEntries(names.map(name => [name, this.#probes.function(name)])),
    })
  }

  #allowFixed(): void {
    this.#reserveShadow(DYNAMIC)
    fixedUses.forEach(([from, uses], i) => {
      const end = fixedUses[i + 1]?.[0]
      if (end !== undefined) this.#probe('allow')(from, end, uses)
    })
  }

  #reserveShadow(sizeBytes: number): void {
    this.#probes.reserve(this.#probe('shadowAddress')() + Math.ceil(sizeBytes / 16))
  }

  #watch(layout: JpegLayout): void {
    const memory = this.#instance?.bytes
    if (!memory) throw new Error('A picture was laid out before its memory')
    this.#layout = layout
    // A new instance's set-up is not the picture's work.
    this.#probe('beginRun')()
    const end = Math.min(memory.length, layout.end + GUARD_BYTES)
    memory.fill(this.#garbage, DYNAMIC, end)
    this.#reserveShadow(memory.length)
    this.#probe('allow')(DYNAMIC, Math.max(end, this.#allowedEnd), 0)
    this.#allowedEnd = end
    const gaps: [number, number][] = []
    let free = DYNAMIC
    for (const { name, at, sizeBytes } of layout.regions) {
      gaps.push([free, at])
      free = at + sizeBytes + SLACK_BYTES
      this.#probe('allow')(at, free, uses[name])
    }
    gaps.push([free, end])
    this.#gaps = gaps
  }

  #violation(): string | null {
    if (this.#probe('violationCount')() > 0) {
      const at = this.#probe('violationAddress')() >>> 0
      const what = this.#probe('violationIsStore')() ? 'store' : 'load'
      return `${what} of ${this.#probe('violationBytes')() >>> 0} bytes at ${at}, ${this.#whereabouts(at)}`
    }
    const memory = this.#instance?.bytes
    if (!this.#layout || !memory) return null
    const changed = this.#gaps.find(([from, end]) => memory.subarray(from, end).some(byte => byte !== this.#garbage))
    return changed ? `memory between regions changed, after ${changed[0]}, ${this.#whereabouts(changed[0])}` : null
  }

  #whereabouts(address: number): string {
    const before = this.#layout?.regions.findLast(({ at }) => at <= address)
    return before ? `${address - before.at} into ${before.name} of ${before.sizeBytes}` : 'in the fixed regions'
  }
}
