import { DeclinedError } from './declined.ts'
import type { FrameHeader, ScanHeader } from './parse-jpeg.ts'

/** A scan of a progressive picture, as many as real encoders never write. */
const MAX_SCANS = 64

/** Requires the order of scans of T.81 G.1.1.1: DC first, refinements bit by bit, nothing missing. */
export class ScanOrder {
  /** the lowest bit known of each coefficient, -1 for none (libjpeg's coef_bits) */
  readonly #known: readonly Int8Array[]
  #scans = 0

  constructor({ components }: FrameHeader) {
    this.#known = components.map(() => new Int8Array(64).fill(-1))
  }

  /** The next scan. Throws Declined where it is not its turn. */
  advance({ components, first, last, high, low }: ScanHeader): void {
    this.#scans++
    if (this.#scans > MAX_SCANS) throw new DeclinedError('doubtful', 'More scans than encoders write.')
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

  /** After the last scan. Throws Declined where a bit of a coefficient never came. */
  end(): void {
    if (this.#known.some(bits => bits.some(bit => bit !== 0)))
      throw new DeclinedError('doubtful', 'Coefficients are missing.')
  }
}

/**
 * A scan of DC coefficients has at least a bit of each block: a file that lies about its size has not, and
 * would be decoded block by block. Throws Declined. `sizeBytes`: of the scan's data.
 */
export function assertBitForEachBlock(frame: FrameHeader, scan: ScanHeader, sizeBytes: number): void {
  if (scan.first !== 0) return
  const { components, widthPx, heightPx } = frame
  const greatestX = Math.max(...components.map(({ factorX }) => factorX))
  const greatestY = Math.max(...components.map(({ factorY }) => factorY))
  const mcus = Math.ceil(widthPx / (8 * greatestX)) * Math.ceil(heightPx / (8 * greatestY))
  const isOnly = scan.components.length === 1
  const blocks = scan.components.reduce((sum, { index }) => {
    const { factorX, factorY } = components[index] ?? { factorX: 0, factorY: 0 }
    if (!isOnly) return sum + mcus * factorX * factorY
    return Math.ceil((widthPx * factorX) / greatestX / 8) * Math.ceil((heightPx * factorY) / greatestY / 8)
  }, 0)
  if (sizeBytes * 8 < blocks) throw new DeclinedError('doubtful', 'Less data than any scan of this size has.')
}
