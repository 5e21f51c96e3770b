import { KernelInstance } from '../src/webassembly/kernel-instance.ts'
import { instrumentModule } from './instrument-module.ts'

export const READ = 1
export const WRITE = 2

/** What a kernel may do with its memory. */
export type MemoryUses<RegionName extends string> = {
  /** of the fixed addresses: from here to the beginning of the next; the last begins what pictures use */
  readonly fixed: readonly (readonly [from: number, uses: number])[]
  /** of a picture's regions, by their purpose */
  readonly regions: Readonly<Record<RegionName, number>>
  /** bytes behind a region that may be used like it */
  readonly slackBytes: number
}

/** Where a picture's memory is. */
export type MemoryLayout<RegionName extends string> = {
  readonly end: number
  readonly regions: readonly { readonly name: RegionName; readonly at: number; readonly sizeBytes: number }[]
}

/** Between regions; more than any vector and than a row of blocks of a small picture. */
export const GAP_BYTES = 1024

/** After the last region. Checked after each picture, as the gaps are. */
const GUARD_BYTES = 4096

/** Kept no longer than this, as the decoders do with their own. */
const MAX_KEPT_BYTES = 96 * 1024 * 1024

/**
 * The shipped kernel of a decoder, instrumented. Each load and store must stay in its region. All memory is
 * garbage before a picture. Unlike with the real decoder, an instance is used again after a refusal.
 */
export class WatchedKernel<RegionName extends string> {
  /** outcomes of branches that the kernel has */
  readonly outcomes: number
  readonly module: WebAssembly.Module
  readonly #uses: MemoryUses<RegionName>
  readonly #dynamic: number
  readonly #probes: KernelInstance
  readonly #probe: (name: string) => (...args: number[]) => number
  readonly #hitsAt: number
  #instance: KernelInstance | null = null
  #layout: MemoryLayout<RegionName> | null = null
  #garbage = 0
  #gaps: readonly (readonly [from: number, end: number])[] = []
  /** where the memory that the last picture was allowed to use ends */
  #allowedEnd = 0

  constructor(kernel: Uint8Array, probes: Uint8Array, uses: MemoryUses<RegionName>) {
    const { bytes, outcomes } = instrumentModule(kernel)
    this.outcomes = outcomes
    this.module = new WebAssembly.Module(bytes)
    this.#uses = uses
    this.#dynamic = uses.fixed.at(-1)?.[0] ?? 0
    this.#probes = new KernelInstance(new WebAssembly.Module(probes))
    const functions = new Map<string, (...args: number[]) => number>()
    this.#probe = name => {
      const found = functions.get(name) ?? this.#probes.function(name)
      functions.set(name, found)
      return found
    }
    this.#hitsAt = this.#probe('hitsAddress')()
    this.#reserveShadow(this.#dynamic)
    uses.fixed.forEach(([from, uses], i) => {
      const end = this.#uses.fixed[i + 1]?.[0]
      if (end !== undefined) this.#probe('allow')(from, end, uses)
    })
  }

  /** The one instance, made when it is first asked for. */
  instantiate(): KernelInstance {
    const names = ['enter', 'branch', 'choose', 'tick', 'read', 'write', 'fill', 'copy']
    this.#instance ??= new KernelInstance(this.module, {
      probes: Object.fromEntries(names.map(name => [name, this.#probes.function(name)])),
    })
    return this.#instance
  }

  /** Begins a picture. `garbage`: the byte that all memory holds before it. */
  begin(garbage: number): void {
    this.#probe('beginRun')()
    this.#layout = null
    this.#garbage = garbage
  }

  /** Call when the memory is there and nothing of the picture is in it yet. */
  laidOut(layout: MemoryLayout<RegionName>): void {
    const memory = this.#instance?.bytes
    if (!memory) throw new Error('A picture was laid out before its memory')
    this.#layout = layout
    // A new instance's set-up is not the picture's work.
    this.#probe('beginRun')()
    const end = Math.min(memory.length, layout.end + GUARD_BYTES)
    memory.fill(this.#garbage, this.#dynamic, end)
    this.#reserveShadow(memory.length)
    this.#probe('allow')(this.#dynamic, Math.max(end, this.#allowedEnd), 0)
    this.#allowedEnd = end
    const gaps: [number, number][] = []
    let free = this.#dynamic
    for (const { name, at, sizeBytes } of layout.regions) {
      gaps.push([free, at])
      free = at + sizeBytes + this.#uses.slackBytes
      this.#probe('allow')(at, free, this.#uses.regions[name])
    }
    gaps.push([free, end])
    this.#gaps = gaps
  }

  /** WebAssembly instructions executed (16 bytes of a fill or copy are one): a constant of the file. */
  get instructions(): number {
    return this.#probe('workDone')()
  }

  /** Of the kernel's memory, for the picture; 0 where the file was refused before. */
  get memoryBytes(): number {
    return this.#layout === null ? 0 : (this.#instance?.sizeBytes ?? 0)
  }

  /** The first access outside its region, or changed memory between regions. */
  get violation(): string | null {
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

  /** Ends a picture. An instance that grew large is not used again, by the decoder neither. */
  end(): void {
    if ((this.#instance?.sizeBytes ?? 0) > MAX_KEPT_BYTES) this.#instance = null
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

  #reserveShadow(sizeBytes: number): void {
    this.#probes.reserve(this.#probe('shadowAddress')() + Math.ceil(sizeBytes / 16))
  }

  #whereabouts(address: number): string {
    const before = this.#layout?.regions.findLast(({ at }) => at <= address)
    return before ? `${address - before.at} into ${before.name} of ${before.sizeBytes}` : 'in the fixed regions'
  }
}
