import { DeclinedError } from '../src/decoding/declined.ts'
import type { DecodedJpeg } from '../src/decoding/jpeg/jpeg-decoder.ts'
import { areaMeans, decibels, meanSquare } from './area-reference.ts'
import { decodeByDjpeg, transcode } from './libjpeg-programs.ts'

type Figures = {
  readonly ours: number[]
  readonly theirs: number[]
  readonly apart: number[]
  equal: number
}

const scales = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** Across and down apart, as frames with other densities per axis ask for. */
const uneven = [
  [8, 3],
  [1, 7],
  [5, 4],
] as const

/** More than this takes minutes a file. */
const MAX_PIXELS = 6_000_000

/** How pictures at N/8 of the size compare, over many files. */
export class ScaleTally {
  faults = 0
  #files = 0
  #twins = 0
  readonly #figures = new Map<number, Figures>(
    scales.map(eighths => [eighths, { ours: [], theirs: [], apart: [], equal: 0 }]),
  )

  /** Returns what is wrong with the file's reduced pictures, or null. */
  async add(
    bytes: Uint8Array,
    full: DecodedJpeg,
    decode: (bytes: Uint8Array, eighthsX: number, eighthsY: number) => DecodedJpeg | DeclinedError,
  ): Promise<string | null> {
    if (full.widthPx * full.heightPx > MAX_PIXELS) return null
    this.#files++
    let fault: string | null = null
    const twins = [await transcode(bytes, 'progressive'), await transcode(bytes, 'sequential')]
    for (const [x, y] of [...scales.map(eighths => [eighths, eighths] as const), ...uneven]) {
      const scale = `${x}/8 x ${y}/8`
      const reduced = decode(bytes, x, y)
      if (reduced instanceof DeclinedError) {
        fault ??= `declined at ${scale} alone: ${reduced.message}`
        continue
      }
      for (const twin of twins) {
        if (!twin) continue
        this.#twins++
        const other = decode(twin, x, y)
        if (other instanceof DeclinedError) fault ??= `its twin is declined at ${scale}: ${other.message}`
        else if (!Buffer.from(other.data).equals(reduced.data)) fault ??= `differs from its twin at ${scale}`
      }
      if (x === y) await this.#compare(bytes, full, reduced, x)
    }
    if (fault !== null) this.faults++
    return fault
  }

  async #compare(bytes: Uint8Array, full: DecodedJpeg, reduced: DecodedJpeg, eighths: number): Promise<void> {
    const figures = this.#figures.get(eighths)
    const theirs = await decodeByDjpeg(bytes, eighths)
    if (!figures || !theirs || theirs.data.length !== reduced.widthPx * reduced.heightPx * 3) return
    const means = areaMeans(full, eighths)
    figures.ours.push(decibels(meanSquare(reduced.data, 4, means)))
    figures.theirs.push(decibels(meanSquare(theirs.data, 3, means)))
    const apart = decibels(meanSquare(reduced.data, 4, Float32Array.from(theirs.data)))
    figures.apart.push(apart)
    if (apart === 99) figures.equal++
  }

  report(): string {
    const rows = [...this.#figures].map(([eighths, { ours, theirs, apart, equal }]) => {
      const worst = Math.min(...ours.map((value, i) => value - (theirs[i] ?? 0)))
      const cells = [median(ours), least(ours), median(theirs), least(theirs), worst, median(apart), least(apart)]
      return `| ${eighths}/8 | ${cells.map(cell => cell.toFixed(1)).join(' | ')} | ${equal} of ${ours.length} |`
    })
    return [
      `${this.#files} files, ${this.#twins} comparisons with a twin in the other order of scans, ${this.faults} faults. In dB:`,
      '| scale | ours to the area: median | least | djpeg to the area: median | least | ours less djpeg: least | ours to djpeg: median | least | equal to djpeg |',
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function least(values: readonly number[]): number {
  return Math.min(...values)
}
