import { MAX_MATCH } from '../../../kernels/assembly/png/layout.ts'
import { codeLengths } from '../code-lengths.ts'

/** Literals 0..255, end of block 256, match lengths 257..285 (RFC 1951, 3.2.5). */
export const DEFLATE_SYMBOLS = 286

const END_OF_BLOCK = 256

/** Two literals of this length and a length field fit a 32-bit entry of the kernel's table of pairs. */
const MAX_CODE_BITS = 13

// Base length and extra bits of the symbols 257..285.
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
] as const
const lengthExtraBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0] as const

/** Bits in the order in which they are written, lowest first. */
export type Bits = { readonly value: number; readonly length: number }

const noBits: Bits = { value: 0, length: 0 }

/** How often each literal, and each match length (index 0..258), is written. */
export type TokenCounts = { readonly literals: Float64Array; readonly matches: Float64Array }

/** A Huffman code for literals and runs, and the stream header that declares it. */
export type DeflateCodes = {
  readonly lengths: Uint8Array
  readonly literals: readonly Bits[]
  /** by match length, with extra bits and the one bit of distance 1; entries below 3 are empty */
  readonly matches: readonly Bits[]
  readonly endOfBlock: Bits
  /** zlib header and the header of the single, final, dynamic block */
  readonly header: readonly Bits[]
}

function lengthSymbol(length: number): number {
  return lengthBases.findLastIndex(base => base <= length)
}

/** Canonical codes of these lengths, bit-reversed as in deflate. */
function canonicalCodes(lengths: Uint8Array): Bits[] {
  const counts = new Uint32Array(17)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  const next = new Uint32Array(17)
  for (let length = 1; length <= 16; length++) next[length] = ((next[length - 1] ?? 0) + (counts[length - 1] ?? 0)) << 1
  return Array.from(lengths, length => {
    if (length === 0) return noBits
    let code = next[length] ?? 0
    next[length] = code + 1
    let value = 0
    for (let i = 0; i < length; i++) {
      value = (value << 1) | (code & 1)
      code >>= 1
    }
    return { value, length }
  })
}

const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const

/** The code lengths themselves, run-length coded (RFC 1951, 3.2.7): symbol, then extra bits. */
function codeLengthTokens(lengths: readonly number[]): { readonly symbol: number; readonly extra: Bits }[] {
  const tokens: { symbol: number; extra: Bits }[] = []
  for (let i = 0; i < lengths.length; ) {
    const value = lengths[i] ?? 0
    let run = 1
    while (i + run < lengths.length && lengths[i + run] === value) run++
    if (value === 0 && run >= 3) {
      const taken = Math.min(run, 138)
      if (taken <= 10) tokens.push({ symbol: 17, extra: { value: taken - 3, length: 3 } })
      else tokens.push({ symbol: 18, extra: { value: taken - 11, length: 7 } })
      i += taken
    } else if (value !== 0 && run >= 4) {
      const repeated = Math.min(run - 1, 6)
      tokens.push({ symbol: value, extra: noBits })
      tokens.push({ symbol: 16, extra: { value: repeated - 3, length: 2 } })
      i += repeated + 1
    } else {
      tokens.push({ symbol: value, extra: noBits })
      i++
    }
  }
  return tokens
}

function streamHeader(lengths: Uint8Array): Bits[] {
  // zlib: deflate with a window of 32 KiB. Then one final block of dynamic codes.
  const bits: Bits[] = [
    { value: 0x78, length: 8 },
    { value: 0x01, length: 8 },
    { value: 1, length: 1 },
    { value: 2, length: 2 },
  ]
  // One distance code (distance 1) of one bit.
  const tokens = codeLengthTokens([...lengths, 1])
  const frequencies = new Float64Array(19)
  for (const { symbol } of tokens) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1
  const tokenLengths = codeLengths(frequencies, 7)
  const tokenCodes = canonicalCodes(tokenLengths)
  let orderCount = codeLengthOrder.length
  while (orderCount > 4 && tokenLengths[codeLengthOrder[orderCount - 1] ?? 0] === 0) orderCount--
  bits.push({ value: DEFLATE_SYMBOLS - 257, length: 5 }, { value: 0, length: 5 }, { value: orderCount - 4, length: 4 })
  for (const symbol of codeLengthOrder.slice(0, orderCount)) bits.push({ value: tokenLengths[symbol] ?? 0, length: 3 })
  for (const { symbol, extra } of tokens) {
    bits.push(tokenCodes[symbol] ?? noBits)
    if (extra.length > 0) bits.push(extra)
  }
  return bits
}

/** Share of the weight spread over tokens that do not occur, so that each has a code. */
const UNSEEN_SHARE = 0.001

/** A code fitted to these counts, in which every literal and every match length has a code. */
export function fitDeflateCodes(counts: TokenCounts): DeflateCodes {
  const frequencies = new Float64Array(DEFLATE_SYMBOLS)
  frequencies.set(counts.literals)
  counts.matches.forEach((count, length) => {
    if (length < 3) return
    const symbol = 257 + lengthSymbol(length)
    frequencies[symbol] = (frequencies[symbol] ?? 0) + count
  })
  let total = 1
  for (const frequency of frequencies) total += frequency
  frequencies[END_OF_BLOCK] = 1
  const lengths = codeLengths(
    frequencies.map(frequency => frequency + (UNSEEN_SHARE * total) / DEFLATE_SYMBOLS),
    MAX_CODE_BITS,
  )
  const codes = canonicalCodes(lengths)
  const matches = Array.from({ length: MAX_MATCH + 1 }, (_, length): Bits => {
    if (length < 3) return noBits
    const index = lengthSymbol(length)
    const code = codes[257 + index] ?? noBits
    const extra = length - (lengthBases[index] ?? 0)
    // The distance code is a single zero bit on top.
    return { value: code.value | (extra << code.length), length: code.length + (lengthExtraBits[index] ?? 0) + 1 }
  })
  return {
    lengths,
    literals: codes.slice(0, 256),
    matches,
    endOfBlock: codes[END_OF_BLOCK] ?? noBits,
    header: streamHeader(lengths),
  }
}

/** Bits of these tokens with a code. */
export function tokenBits(counts: TokenCounts, codes: DeflateCodes): number {
  let bits = 0
  counts.literals.forEach((count, literal) => (bits += count * (codes.literals[literal]?.length ?? 0)))
  counts.matches.forEach((count, length) => (bits += count * (codes.matches[length]?.length ?? 0)))
  return bits
}
