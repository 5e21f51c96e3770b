import { codeLengths } from '../code-lengths.ts'

/** A table as in a DHT segment: counts of codes of 1..16 bits, symbols in order of their codes. */
export type HuffmanTable = { readonly counts: readonly number[]; readonly symbols: readonly number[] }

/** The tables of a colour picture, in the order of the kernel's numbering. */
export const huffmanTables = ['dcLuma', 'dcChroma', 'acLuma', 'acChroma'] as const

type TableName = (typeof huffmanTables)[number]

export type HuffmanSet = { readonly [Name in TableName]: HuffmanTable }

/** How often each symbol (0..255) of each table occurs. */
export type SymbolCounts = { readonly [Name in TableName]: Float64Array }

function buildSet<T>(build: (name: TableName, index: number) => T): { readonly [Name in TableName]: T } {
  return {
    dcLuma: build('dcLuma', 0),
    dcChroma: build('dcChroma', 1),
    acLuma: build('acLuma', 2),
    acChroma: build('acChroma', 3),
  }
}

/** From the kernel's counts, u32[4][256]. */
export function symbolCounts(counts: Uint32Array): SymbolCounts {
  return buildSet((_name, index) => Float64Array.from(counts.subarray(256 * index, 256 * index + 256)))
}

const dcSymbols = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const

// Hexadecimal, two digits per symbol (run << 4 | size), in order of their codes.
const AC_LUMA_SYMBOLS =
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637' +
  '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3' +
  'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa'
const AC_CHROMA_SYMBOLS =
  '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536' +
  '3738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999a' +
  'a2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa'

function symbolsOf(hex: string): number[] {
  return Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}

/** Annex K.3 of ITU-T T.81: the standard tables. */
export const standardHuffman: HuffmanSet = {
  dcLuma: { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: dcSymbols },
  dcChroma: { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: dcSymbols },
  acLuma: { counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: symbolsOf(AC_LUMA_SYMBOLS) },
  acChroma: { counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: symbolsOf(AC_CHROMA_SYMBOLS) },
}

/** Per symbol `code << 8 | length` (0 if the table has no code), for `size` symbols. */
export function codesOf(table: HuffmanTable, size: number): Uint32Array {
  const codes = new Uint32Array(size)
  let code = 0
  let next = 0
  table.counts.forEach((count, index) => {
    for (let i = 0; i < count; i++) {
      codes[table.symbols[next] ?? 0] = (code << 8) | (index + 1)
      code++
      next++
    }
    code <<= 1
  })
  return codes
}

/** Bits that each symbol costs, its code and the value bits after it: u8[4][256] by table and symbol. */
export function bitsOfSymbols(set: HuffmanSet): Uint8Array {
  const bits = new Uint8Array(4 * 256)
  huffmanTables.forEach((table, index) => {
    codesOf(set[table], 256).forEach((code, symbol) => {
      bits[256 * index + symbol] = (code & 255) + (symbol & 15)
    })
  })
  return bits
}

/** Total bits of the counted symbols, at the costs of `bitsOfSymbols`. */
export function codedBits(counts: Uint32Array, bitsOf: Uint8Array): number {
  let bits = 0
  for (let i = 0; i < counts.length; i++) bits += (counts[i] ?? 0) * (bitsOf[i] ?? 0)
  return bits
}

/** An additional symbol that takes the code of all ones, which T.81 forbids. */
const RESERVED = 256

function fitTable(counts: Float64Array): HuffmanTable {
  const weights = new Float64Array(RESERVED + 1)
  weights.set(counts)
  // Less than any real symbol's count, so that it gets the longest code.
  weights[RESERVED] = 0.5
  const lengths = codeLengths(weights, 16).subarray(0, RESERVED)
  const perLength = Array.from({ length: 16 }, () => 0)
  const symbols: number[] = []
  lengths.forEach((length, symbol) => {
    if (length === 0) return
    perLength[length - 1] = (perLength[length - 1] ?? 0) + 1
    symbols.push(symbol)
  })
  symbols.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  return { counts: perLength, symbols }
}

/** Entropy of the counted symbols in bits, including value bits: a lower bound for any code. */
export function leastBits(counts: Uint32Array): number {
  let bits = 0
  for (let table = 0; table < counts.length; table += 256) {
    let total = 0
    for (let i = table; i < table + 256; i++) total += counts[i] ?? 0
    for (let i = table; i < table + 256; i++) {
      const count = counts[i] ?? 0
      if (count > 0) bits += count * (Math.log2(total / count) + (i & 15))
    }
  }
  return bits
}

/** Average number of tokens in a block of artwork (photographs at quality 85). */
const typicalTokens = { dcLuma: 1, dcChroma: 1, acLuma: 12, acChroma: 3 } as const

/** Blocks of each kind in an MCU of 4:2:0. */
const mcuBlocks = { dcLuma: 4, dcChroma: 2, acLuma: 4, acChroma: 2 } as const

/**
 * Tables for a scene's mockups: from its own counts and `artworkMcus` MCUs of artwork whose symbols are as
 * frequent as the standard tables assume. Every possible symbol gets a code.
 */
export function fitSceneHuffmanSet(counts: SymbolCounts, artworkMcus: number): HuffmanSet {
  const expected = buildSet(name => {
    const codes = codesOf(standardHuffman[name], 256)
    const tokens = artworkMcus * mcuBlocks[name] * typicalTokens[name]
    return counts[name].map((count, symbol) => {
      const length = (codes[symbol] ?? 0) & 255
      return length === 0 ? count : Math.max(1, count + tokens * 2 ** -length)
    })
  })
  return fitHuffmanSet(expected)
}

/** The optimal tables for exactly these symbols. Symbols that do not occur get no code. */
export function fitHuffmanSet(counts: SymbolCounts): HuffmanSet {
  return buildSet(name => fitTable(counts[name]))
}
