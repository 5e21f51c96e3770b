import { randomFillSync } from 'node:crypto'

/** Without letters that look like digits. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 9
const RANDOM_LENGTH = 13

/** Ids whose random digits are drawn together, since a draw costs more than the rest of an id. */
const IDS_PER_DRAW = 64

/** Generates request ids. */
export class RequestIds {
  /** Random digits as ASCII. Each is used once. */
  readonly #digits = Buffer.alloc(IDS_PER_DRAW * RANDOM_LENGTH)
  #usedBytes = this.#digits.length

  /** The last time and its digits: under overload several requests begin in the same millisecond. */
  #time = { ms: Number.NaN, digits: '' }

  /** `req_`, the time in milliseconds and 65 random bits in base 32; later ids sort later. */
  next(): string {
    const nowMs = Date.now()
    if (nowMs !== this.#time.ms) this.#time = { ms: nowMs, digits: digitsOfTime(nowMs) }
    return `req_${this.#time.digits}${this.#takeDigits()}`
  }

  #takeDigits(): string {
    if (this.#usedBytes === this.#digits.length) this.#draw()
    const begin = this.#usedBytes
    this.#usedBytes += RANDOM_LENGTH
    return this.#digits.toString('latin1', begin, this.#usedBytes)
  }

  #draw(): void {
    randomFillSync(this.#digits)
    for (const [index, byte] of this.#digits.entries()) this.#digits[index] = DIGITS.charCodeAt(byte % 32)
    this.#usedBytes = 0
  }
}

function digitsOfTime(timeMs: number): string {
  let digits = ''
  for (let rest = timeMs; digits.length < TIME_LENGTH; rest = Math.floor(rest / 32))
    digits = DIGITS.charAt(rest % 32) + digits
  return digits
}

/** When a request began, by its id, in milliseconds since 1970; null for any other text. */
export function requestTimeOf(id: string): number | null {
  const [, time = ''] = /^req_([0-9A-Z]{9})[0-9A-Z]{13}$/.exec(id) ?? []
  let timeMs = 0
  for (const digit of time) timeMs = timeMs * 32 + DIGITS.indexOf(digit)
  return time === '' ? null : timeMs
}
