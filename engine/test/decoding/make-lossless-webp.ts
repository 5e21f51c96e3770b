import type { Random } from '../../fuzz/random.ts'
import { chunkOf, wrapChunk } from './make-webp.ts'

export type Transform = 'predictor' | 'color' | 'green' | 'colors'

/** What a made-up lossless picture has (RFC 9649, section 3). Everything else is of random numbers. */
export type LosslessSpec = {
  readonly widthPx: number
  readonly heightPx: number
  readonly hasAlpha?: boolean
  /** in the order of the stream */
  readonly transforms?: readonly Transform[]
  /** of a palette */
  readonly colors?: number
  /** 2 to 9: of how many pixels a side of a tile the logarithm is */
  readonly tileBits?: number
  /** 0: none, to 11 */
  readonly cacheBits?: number
  /** of codes, at most ten more than tiles; null: no tiles */
  readonly groups?: number | null
  /** how many symbols codes have at most */
  readonly symbols?: number
  /** 0 to 1: how many pixels are not given by themselves */
  readonly references?: number
  /** 0 to 1: how many references reach far back */
  readonly far?: number
}

const LITERALS = 256
const LENGTHS = 24
const DISTANCES = 40
const MOST_LENGTH = 15
const LENGTH_BITS = 4
const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const
const types: Readonly<Record<Transform, number>> = { predictor: 0, color: 1, green: 2, colors: 3 }

/** Bits, lowest first. */
class BitWriter {
  readonly #bytes: number[] = []
  /** what does not fill a byte yet, and how many bits that is */
  #rest = 0
  #restBits = 0

  write(value: number, count: number): void {
    this.#rest |= (value & (2 ** count - 1)) << this.#restBits
    for (this.#restBits += count; this.#restBits >= 8; this.#restBits -= 8) {
      this.#bytes.push(this.#rest & 255)
      this.#rest >>>= 8
    }
  }

  bytes(): Buffer {
    return Buffer.from(this.#restBits > 0 ? [...this.#bytes, this.#rest] : this.#bytes)
  }
}

/** A complete prefix code of some symbols. */
class Code {
  readonly symbols: readonly number[]
  /** those that stand for a number, and in a code of green the others */
  readonly literals: readonly number[]
  readonly others: readonly number[]
  readonly #codes = new Map<number, readonly [bits: number, length: number]>()
  readonly #lengths: readonly number[]

  constructor(alphabet: number, symbols: readonly number[], random: Random) {
    this.symbols = symbols
    this.literals = symbols.filter(symbol => symbol < LITERALS)
    this.others = symbols.filter(symbol => symbol >= LITERALS)
    // leaves of a tree, of which one after the other becomes two
    const leaves = [0]
    while (leaves.length < symbols.length) {
      const at = random.below(random.below(3) === 0 ? leaves.length : Math.min(3, leaves.length))
      const depth = leaves[at] ?? 0
      if (depth < MOST_LENGTH) leaves.splice(at, 1, depth + 1, depth + 1)
    }
    const lengths = Array.from({ length: alphabet }, () => 0)
    symbols.forEach((symbol, i) => (lengths[symbol] = Math.max(1, leaves[i] ?? 0)))
    this.#lengths = lengths
    let code = 0
    for (let length = 1; length <= MOST_LENGTH; length++) {
      lengths.forEach((own, symbol) => {
        if (own !== length) return
        let reversed = 0
        for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i)
        this.#codes.set(symbol, [reversed, symbols.length === 1 ? 0 : length])
        code++
      })
      code *= 2
    }
  }

  /** The code itself: as one or two symbols where it may be, else by its lengths. */
  writeSelf(writer: BitWriter, random: Random): void {
    const sorted = [...this.symbols].toSorted((a, b) => a - b)
    const [first = 0, second = 0] = sorted
    const isSimple = sorted.length <= 2 && Math.max(first, second) < LITERALS
    if (isSimple && random.below(8) > 0) {
      writer.write(1, 1)
      writer.write(sorted.length - 1, 1)
      const isShort = first < 2 && random.below(2) === 0
      writer.write(Number(!isShort), 1)
      writer.write(first, isShort ? 1 : 8)
      if (sorted.length === 2) writer.write(second, 8)
      return
    }
    writer.write(0, 1)
    writer.write(lengthOrder.length - LENGTH_BITS, 4)
    // sixteen of four bits: lengths up to 12, and the three that repeat; or up to 15
    const repeats = Math.max(...this.#lengths) <= 12
    for (const length of lengthOrder) writer.write(repeats === length < 16 && length > 12 ? 0 : 4, 3)
    const used = Array.from({ length: 19 }, (_, i) => i).filter(i => (repeats ? i <= 12 || i > 15 : i <= 15))
    const write = (symbol: number): void => {
      const code = used.indexOf(symbol)
      for (let i = LENGTH_BITS - 1; i >= 0; i--) writer.write(code >> i, 1)
    }
    const tokens: (readonly [symbol: number, extra: number, bits: number])[] = []
    let before = 8
    for (let i = 0; i < this.#lengths.length; ) {
      const length = this.#lengths[i] ?? 0
      let run = 1
      while (this.#lengths[i + run] === length) run++
      if (repeats && length === 0 && run >= 3) {
        const count = Math.min(run, run < 11 ? 10 : 138)
        tokens.push(count < 11 ? [17, count - 3, 3] : [18, count - 11, 7])
        i += count
      } else if (repeats && length === before && run >= 3) {
        const count = Math.min(run, 6)
        tokens.push([16, count - 3, 2])
        i += count
      } else {
        tokens.push([length, 0, 0])
        if (length > 0) before = length
        i++
      }
    }
    const isEarly = random.below(2) === 0
    let left = tokens.length
    if (isEarly) while (left > 2 && [0, 17, 18].includes(tokens[left - 1]?.[0] ?? -1)) left--
    writer.write(Number(isEarly), 1)
    if (isEarly) {
      writer.write(5, 3)
      writer.write(left - 2, 12)
    }
    for (const [symbol, extra, bits] of tokens.slice(0, left)) {
      write(symbol)
      writer.write(extra, bits)
    }
  }

  write(symbol: number, writer: BitWriter): void {
    const [bits, length] = this.#codes.get(symbol) ?? [0, 0]
    writer.write(bits, length)
  }
}

type Group = readonly [green: Code, red: Code, blue: Code, alpha: Code, distance: Code]
type Image = {
  readonly width: number
  readonly height: number
  readonly cacheBits: number
  readonly groups: readonly Group[]
  readonly groupOf: (x: number, y: number) => number
  readonly references: number
  readonly far: number
  /** green and red of each pixel where they matter */
  readonly values?: readonly (readonly [green: number, red: number])[]
}

function some(alphabet: number, most: number, random: Random): readonly number[] {
  const count = Math.min(alphabet, 1 + random.below(most))
  const symbols = new Set<number>()
  while (symbols.size < count) symbols.add(random.below(alphabet))
  return [...symbols]
}

function anyGroup(cacheBits: number, most: number, hasReferences: boolean, random: Random): Group {
  const greens = new Set(some(LITERALS, most, random))
  if (hasReferences) {
    for (let i = 1 + random.below(6); i > 0; i--) greens.add(LITERALS + random.below(LENGTHS))
    if (cacheBits > 0)
      for (let i = 1 + random.below(9); i > 0; i--) greens.add(LITERALS + LENGTHS + random.below(2 ** cacheBits))
  }
  const alphabet = LITERALS + LENGTHS + (cacheBits > 0 ? 2 ** cacheBits : 0)
  const code = (): Code => new Code(LITERALS, some(LITERALS, random.pick([1, 2, most]), random), random)
  return [
    new Code(alphabet, [...greens], random),
    code(),
    code(),
    code(),
    new Code(DISTANCES, some(DISTANCES, 30, random), random),
  ]
}

/** The least of what a symbol of a length or distance stands for, and how many bits follow it. */
function rangeOf(symbol: number): readonly [least: number, bits: number] {
  if (symbol < 4) return [symbol + 1, 0]
  const bits = (symbol - 2) >> 1
  return [((2 + (symbol & 1)) << bits) + 1, bits]
}

/** What `distance` is at least this far back: near ones are given by places in the rows above. */
const NEAR = 120
const MOST_NEAR_ROWS = 7
const MOST_NEAR_ASIDE = 8

function writePixels(writer: BitWriter, image: Image, random: Random): void {
  const { width, height, groups } = image
  for (let done = 0; done < width * height; ) {
    const group = groups[image.groupOf(done % width, Math.floor(done / width))]
    const [green, red, blue, alpha, distance] = group ?? []
    if (!green || !red || !blue || !alpha || !distance) throw new Error('A tile has no codes')
    const value = image.values?.[done]
    const { literals, others } = green
    if (value === undefined && others.length > 0 && random.next() < image.references) {
      const symbol = others[random.below(others.length)] ?? 0
      if (symbol >= LITERALS + LENGTHS) {
        green.write(symbol, writer)
        done++
        continue
      }
      const [length, lengthBits] = rangeOf(symbol - LITERALS)
      const left = width * height - done - length
      const reachable = distance.symbols.filter(each => {
        const [least] = rangeOf(each)
        const back = least > NEAR ? least - NEAR : MOST_NEAR_ROWS * width + MOST_NEAR_ASIDE
        return back <= done && (image.far === 0 || least > NEAR * image.far)
      })
      const chosen = reachable[random.below(reachable.length)]
      if (left >= 0 && chosen !== undefined) {
        const [least, bits] = rangeOf(chosen)
        const most =
          least > NEAR ? Math.min(2 ** bits - 1, done - (least - NEAR)) : Math.min(2 ** bits - 1, NEAR - least)
        const lengthExtra = random.below(Math.min(2 ** lengthBits, left + 1))
        green.write(symbol, writer)
        writer.write(lengthExtra, lengthBits)
        distance.write(chosen, writer)
        writer.write(random.below(most + 1), bits)
        done += length + lengthExtra
        continue
      }
    }
    const any = (code: Code): number => code.symbols[random.below(code.symbols.length)] ?? 0
    green.write(value?.[0] ?? literals[random.below(literals.length)] ?? 0, writer)
    red.write(value?.[1] ?? any(red), writer)
    blue.write(any(blue), writer)
    alpha.write(any(alpha), writer)
    done++
  }
}

function writeCache(writer: BitWriter, cacheBits: number): void {
  writer.write(Number(cacheBits > 0), 1)
  if (cacheBits > 0) writer.write(cacheBits, 4)
}

/** An image within the stream: one group of codes. */
function writeImage(writer: BitWriter, width: number, height: number, random: Random, values?: Image['values']): void {
  const cacheBits = values === undefined && random.below(3) === 0 ? 1 + random.below(11) : 0
  writeCache(writer, cacheBits)
  const single = (symbols: Iterable<number>): Code => new Code(LITERALS, [...new Set(symbols)], random)
  const any = anyGroup(cacheBits, random.pick([1, 4, 40, 256]), true, random)
  const greens = new Code(LITERALS + LENGTHS, [...new Set(values?.map(([green]) => green))], random)
  const group: Group =
    values === undefined ? any : [greens, single(values.map(([, red]) => red)), any[2], any[3], any[4]]
  for (const code of group) code.writeSelf(writer, random)
  const shape = { width, height, cacheBits, groups: [group], groupOf: () => 0, references: 0.3, far: 0 }
  writePixels(writer, values === undefined ? shape : { ...shape, values }, random)
}

/** A file of a made-up VP8L stream. libwebp decodes it. */
export function makeLosslessWebp(spec: LosslessSpec, random: Random): Buffer {
  const { widthPx, heightPx, hasAlpha = true, transforms = [], colors = 2 } = spec
  const { tileBits = 2, cacheBits = 0, groups = null, symbols = 40, references = 0.3, far = 0 } = spec
  const writer = new BitWriter()
  writer.write(0x2f, 8)
  writer.write(widthPx - 1, 14)
  writer.write(heightPx - 1, 14)
  writer.write(Number(hasAlpha), 1)
  writer.write(0, 3)
  const tilesOf = (px: number, bits: number): number => Math.ceil(px / 2 ** bits)
  let width = widthPx
  for (const transform of transforms) {
    writer.write(1, 1)
    writer.write(types[transform], 2)
    if (transform === 'colors') {
      writer.write(colors - 1, 8)
      writeImage(writer, colors, 1, random)
      width = tilesOf(width, colors > 16 ? 0 : colors > 4 ? 1 : colors > 2 ? 2 : 3)
    } else if (transform !== 'green') {
      const bits = random.pick([tileBits, 2 + random.below(8)])
      writer.write(bits - 2, 3)
      writeImage(writer, tilesOf(width, bits), tilesOf(heightPx, bits), random)
    }
  }
  writer.write(0, 1)
  writeCache(writer, cacheBits)
  const across = tilesOf(width, tileBits)
  const count = across * tilesOf(heightPx, tileBits)
  const tiles = Array.from({ length: count }, () => random.below(Math.min(groups ?? 1, count + 10)))
  writer.write(Number(groups !== null), 1)
  if (groups !== null) {
    writer.write(tileBits - 2, 3)
    const values = tiles.map(group => [group & 255, group >> 8] as const)
    writeImage(writer, across, tilesOf(heightPx, tileBits), random, values)
  }
  const all = Array.from({ length: groups === null ? 1 : Math.max(...tiles) + 1 }, () =>
    anyGroup(cacheBits, random.pick([1, 5, symbols]), references > 0, random),
  )
  for (const group of all) for (const code of group) code.writeSelf(writer, random)
  const groupOf = (x: number, y: number): number =>
    groups === null ? 0 : (tiles[(y >> tileBits) * across + (x >> tileBits)] ?? 0)
  writePixels(writer, { width, height: heightPx, cacheBits, groups: all, groupOf, references, far }, random)
  return wrapChunk(writer.bytes(), 'VP8L')
}

/** A picture with any features. */
export function anyLosslessWebp(random: Random, mostPx = 80): Buffer {
  const left: Transform[] = ['predictor', 'color', 'green', 'colors']
  const transforms: Transform[] = []
  while (left.length > 0 && random.below(3) > 0) transforms.push(...left.splice(random.below(left.length), 1))
  const spec: LosslessSpec = {
    widthPx: 1 + random.below(mostPx),
    heightPx: 1 + random.below(mostPx),
    hasAlpha: random.below(2) === 0,
    transforms,
    colors: random.pick([1, 2, 3, 4, 5, 16, 17, 256]),
    tileBits: 2 + random.below(random.pick([2, 8])),
    cacheBits: random.pick([0, 0, 1 + random.below(11)]),
    groups: random.pick([null, 1 + random.below(3), 1 + random.below(12)]),
    symbols: random.pick([2, 8, 60, 256]),
    references: random.pick([0, 0.02, 0.3]),
  }
  return makeLosslessWebp(spec, random)
}

const FILTERS = 4
const STREAM_HEADER_BYTES = 5

/** A chunk of alpha: bytes or a stream, with any filter, prepared by an encoder or not. */
export function anyAlpha(widthPx: number, heightPx: number, random: Random): Buffer {
  const isStream = random.below(3) > 0
  const head = Buffer.from([Number(isStream) | (random.below(FILTERS) << 2) | (random.below(2) << 4)])
  if (!isStream) {
    const noise = random.pick([1, 3, 256])
    const bytes = Array.from({ length: widthPx * heightPx }, (_, i) => (i >> 5) * 40 + random.below(noise))
    return Buffer.concat([head, Buffer.from(bytes.map(value => value & 255))])
  }
  const transforms = random.pick<readonly Transform[]>([
    [],
    ['colors'],
    ['predictor'],
    ['green', 'colors', 'predictor'],
  ])
  const cacheBits = random.pick([0, 0, 3])
  const spec = { widthPx, heightPx, transforms, colors: random.pick([2, 5, 17, 256]), cacheBits, symbols: 9 }
  const file = makeLosslessWebp({ ...spec, groups: random.pick([null, 2]) }, random)
  return Buffer.concat([head, chunkOf(file).subarray(STREAM_HEADER_BYTES)])
}
