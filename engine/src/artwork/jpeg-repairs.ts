import { joinBytes } from '../compression/join-bytes.ts'

const JFIF = 0xe0
const JFIF_MAJOR_AT = 5
const ADOBE_TRANSFORM_AT = 11
const ADOBE_YCC = 1
const ADOBE_YCCK = 2

const nothing = new Uint8Array(0)

type Repair = { readonly from: number; readonly to: number; readonly by: Uint8Array }

/**
 * Repairs what libjpeg only warns about, so that browsers show such files, but a strict decoder refuses. The
 * result is what libjpeg would read; no pixel is invented.
 */
export class JpegRepairs {
  readonly #repairs: Repair[] = []
  /** the transform code of Adobe's marker: its offset and value */
  #adobe: { readonly at: number; readonly transform: number } | null = null

  get isEmpty(): boolean {
    return this.#repairs.length === 0
  }

  /** Removes bytes that belong to no segment. */
  remove(from: number, to: number): void {
    const before = this.#repairs.at(-1)
    const isNext = before?.to === from && before.by.byteLength === 0
    if (isNext) this.#repairs.pop()
    this.#repairs.push({ from: isNext ? before.from : from, to, by: nothing })
  }

  /** Notes a JFIF or Adobe segment whose body begins at `at`. */
  noteHeader(marker: number, at: number, body: Uint8Array): void {
    if (marker === JFIF) {
      if (body.byteLength >= 14 && body[JFIF_MAJOR_AT] !== 1) this.#set(at + JFIF_MAJOR_AT, Uint8Array.of(1))
    } else if (body.byteLength > ADOBE_TRANSFORM_AT) {
      this.#adobe = { at: at + ADOBE_TRANSFORM_AT, transform: body[ADOBE_TRANSFORM_AT] ?? 0 }
    }
  }

  /** Sequential scans have all coefficients, whatever they declare (T.81 table B.3; Samsung writes zeros). */
  noteSequentialScan(at: number, body: Uint8Array): void {
    const parameters = 1 + 2 * (body[0] ?? 0)
    if (body.byteLength !== parameters + 3) return
    const isSound = body[parameters] === 0 && body[parameters + 1] === 63 && body[parameters + 2] === 0
    if (!isSound) this.#set(at + parameters, Uint8Array.of(0, 63, 0))
  }

  /** Adobe's codes are 0 and 1 for three components, 0 and 2 for four; any other is treated as non-zero. */
  noteComponents(components: 1 | 3 | 4): void {
    if (this.#adobe === null || components === 1) return
    const { at, transform } = this.#adobe
    const other = components === 3 ? ADOBE_YCC : ADOBE_YCCK
    if (transform !== 0 && transform !== other) this.#set(at, Uint8Array.of(other))
  }

  /** The repaired copy. */
  apply(bytes: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = []
    let from = 0
    for (const repair of this.#repairs.toSorted((a, b) => a.from - b.from)) {
      parts.push(bytes.subarray(from, repair.from), repair.by)
      from = repair.to
    }
    parts.push(bytes.subarray(from))
    return joinBytes(parts)
  }

  #set(at: number, by: Uint8Array): void {
    this.#repairs.push({ from: at, to: at + by.byteLength, by })
  }
}
