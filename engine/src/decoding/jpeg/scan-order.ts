import { DeclinedError } from '../declined.ts'
import type { FrameHeader, ScanHeader } from './parse-jpeg.ts'

/** Maximum number of scans of a progressive picture; encoders write far fewer. */
export const MAX_SCANS = 64

/** Checks the order of progressive scans: T.81 G.1.1.1, and that no bit is missing at the end. */
export class ScanOrder {
  /** the lowest known bit of each coefficient, -1 for none (libjpeg's coef_bits) */
  readonly #known: readonly Int8Array[]
  #scans = 0

  constructor({ components }: FrameHeader) {
    this.#known = components.map(() => new Int8Array(64).fill(-1))
  }

  /** Checks the next scan. Throws DeclinedError if it is out of order. */
  advance({ components, first, last, high, low }: ScanHeader): void {
    this.#scans++
    if (this.#scans > MAX_SCANS) throw new DeclinedError('unsupported', 'More scans than encoders write.')
    const isBand = first > 0
    if (
      first > last ||
      last > 63 ||
      (!isBand && last !== 0) ||
      (isBand && components.length !== 1) ||
      low > 13 ||
      (high !== 0 && high !== low + 1)
    ) {
      throw new DeclinedError('doubtful', 'A progressive scan of impossible parameters.')
    }
    for (const { index } of components) {
      const bits = this.#known[index]
      if (!bits || (isBand && (bits[0] ?? -1) < 0)) throw new DeclinedError('doubtful', 'AC coefficients before DC.')
      for (let k = first; k <= last; k++) {
        const before = bits[k] ?? -1
        if (before < 0 ? high !== 0 : high !== before || high === 0)
          throw new DeclinedError('doubtful', 'Bits out of order.')
        bits[k] = low
      }
    }
  }

  /** Called after the last scan. Throws DeclinedError if a bit of a coefficient is missing. */
  end(): void {
    if (this.#known.some(bits => bits.some(bit => bit !== 0)))
      throw new DeclinedError('unsupported', 'Coefficients are missing.')
  }
}

/** Throws DeclinedError for a DC scan of `sizeBytes` with less than a bit per block: its size is false. */
export function assertBitForEachBlock(scan: ScanHeader, sizeBytes: number): void {
  if (scan.first === 0 && sizeBytes * 8 < scan.blocks)
    throw new DeclinedError('cut', 'Less data than any scan of this size has.')
}
