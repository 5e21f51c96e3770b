/** A component's coefficients: blocks in rows, padded to whole MCUs, 64 numbers each in zigzag order. */
export type Plane = {
  readonly factorX: number
  readonly factorY: number
  /** blocks with the padding, and those that hold picture */
  readonly paddedX: number
  readonly paddedY: number
  readonly blocksX: number
  readonly blocksY: number
  readonly coefficients: Int16Array
}

export type Coefficients = {
  readonly widthPx: number
  readonly heightPx: number
  /** in zigzag order, for all components */
  readonly quantiser: readonly number[]
  readonly planes: readonly Plane[]
}

/** A scan as its header says it: components by index, the band, bits known before and after. */
export type ScanSpec = {
  readonly components: readonly number[]
  readonly first: number
  readonly last: number
  readonly high: number
  readonly low: number
}

/** How a file is written: `runs` is how many blocks an end-of-band run covers at most. */
export type Writing = { readonly scans: readonly ScanSpec[] | null; readonly interval: number; readonly runs: number }

/** A symbol of a Huffman table and the bits behind its code. Table -1: bits alone. Null: a restart. */
type Token = { readonly table: number; readonly symbol: number; readonly value: number; readonly size: number } | null

const DC = 0
const AC = 1

/** Zeroed planes of a picture: luma of the factors, and chroma of one block an MCU unless it is grey. */
export function emptyPlanes(widthPx: number, heightPx: number, factorX: number, factorY: number, isGrey: boolean) {
  const mcusX = Math.ceil(widthPx / (8 * factorX))
  const mcusY = Math.ceil(heightPx / (8 * factorY))
  const plane = (x: number, y: number): Plane => ({
    factorX: x,
    factorY: y,
    paddedX: mcusX * x,
    paddedY: mcusY * y,
    blocksX: Math.ceil((widthPx * x) / factorX / 8),
    blocksY: Math.ceil((heightPx * y) / factorY / 8),
    coefficients: new Int16Array(mcusX * x * mcusY * y * 64),
  })
  const luma = plane(factorX, factorY)
  return isGrey ? [luma] : [luma, plane(1, 1), plane(1, 1)]
}

/** The file of those coefficients: sequential where there are no scans, else progressive (T.81 F, G). */
export function writeJpeg(picture: Coefficients, { scans, interval, runs }: Writing): Buffer {
  const { widthPx, heightPx, quantiser, planes } = picture
  const all = planes.map((_, i) => i)
  const frame = planes.flatMap(({ factorX, factorY }, i) => [i + 1, factorX * 16 + factorY, 0])
  const size = [heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255]
  const whole: ScanSpec = { components: all, first: 0, last: 63, high: 0, low: 0 }
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xdb, [0, ...quantiser]),
    segment(scans ? 0xc2 : 0xc0, [8, ...size, planes.length, ...frame]),
    ...(interval ? [segment(0xdd, [interval >> 8, interval & 255])] : []),
    ...(scans ?? [whole]).flatMap(scan => writeScan(planes, scan, scans !== null, interval, runs)),
    Buffer.of(0xff, 0xd9),
  ])
}

function writeScan(
  planes: readonly Plane[],
  scan: ScanSpec,
  isProgressive: boolean,
  interval: number,
  runs: number,
): Buffer[] {
  const tokens = readTokens(planes, scan, isProgressive, interval, runs)
  const tables = [DC, AC].map(table => buildTable(tokens, table))
  const { components, first, last, high, low } = scan
  return [
    ...tables.flatMap((codes, kind) => (codes.size === 0 ? [] : [segment(0xc4, [kind * 16, ...describe(codes)])])),
    segment(0xda, [components.length, ...components.flatMap(i => [i + 1, 0]), first, last, high * 16 + low]),
    pack(tokens, tables),
  ]
}

function readTokens(
  planes: readonly Plane[],
  { components, first, last, high, low }: ScanSpec,
  isProgressive: boolean,
  interval: number,
  runs: number,
): Token[] {
  const tokens: Token[] = []
  const predictors = planes.map(() => 0)
  let run = 0
  let heldBack: Token[] = []
  const bits = (value: number, size: number): Token => ({ table: -1, symbol: 0, value, size })
  const endRun = (): void => {
    if (run > 0) {
      const size = Math.floor(Math.log2(run))
      tokens.push({ table: AC, symbol: size * 16, value: run - 2 ** size, size })
    }
    tokens.push(...heldBack)
    run = 0
    heldBack = []
  }
  const addValue = (table: number, symbol: number, value: number): void => {
    const size = sizeOf(value)
    tokens.push({ table, symbol: symbol * 16 + size, value: value < 0 ? value + 2 ** size - 1 : value, size })
  }
  const addDc = (block: Int16Array, index: number): void => {
    const value = (block[0] ?? 0) >> low
    if (high === 0) {
      addValue(DC, 0, value - (predictors[index] ?? 0))
      predictors[index] = value
    } else tokens.push(bits(value & 1, 1))
  }
  const addFirstAc = (block: Int16Array): void => {
    let zeros = 0
    for (let k = Math.max(1, first); k <= last; k++) {
      const whole = block[k] ?? 0
      const value = whole < 0 ? -(-whole >> low) : whole >> low
      if (value === 0) {
        zeros++
        continue
      }
      endRun()
      for (; zeros > 15; zeros -= 16) tokens.push({ table: AC, symbol: 0xf0, value: 0, size: 0 })
      addValue(AC, zeros, value)
      zeros = 0
    }
    if (zeros > 0 && ++run >= (isProgressive ? runs : 1)) endRun()
  }
  const addRefinedAc = (block: Int16Array): void => {
    const magnitude = (k: number): number => Math.abs(block[k] ?? 0) >> low
    let end = last
    while (end >= first && magnitude(end) !== 1) end--
    let zeros = 0
    let corrections: Token[] = []
    for (let k = first; k <= last; k++) {
      const value = magnitude(k)
      if (value > 1) {
        corrections.push(bits(value & 1, 1))
        continue
      }
      if (value === 0) {
        zeros++
        if (zeros === 16 && k < end) {
          endRun()
          tokens.push({ table: AC, symbol: 0xf0, value: 0, size: 0 }, ...corrections)
          corrections = []
          zeros = 0
        }
        continue
      }
      endRun()
      tokens.push({ table: AC, symbol: zeros * 16 + 1, value: (block[k] ?? 0) < 0 ? 0 : 1, size: 1 }, ...corrections)
      corrections = []
      zeros = 0
    }
    if (zeros > 0 || corrections.length > 0) {
      run++
      heldBack.push(...corrections)
      if (run >= runs) endRun()
    }
  }
  const addBlock = (index: number, x: number, y: number): void => {
    const plane = planes[index]
    if (!plane) throw new RangeError(`Expected a component but received ${index}.`)
    const at = (y * plane.paddedX + x) * 64
    const block = plane.coefficients.subarray(at, at + 64)
    if (first === 0) addDc(block, index)
    if (last > 0) (high === 0 ? addFirstAc : addRefinedAc)(block)
  }
  let unit = 0
  const beginUnit = (): void => {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      endRun()
      tokens.push(null)
      predictors.fill(0)
    }
    unit++
  }
  const [only = 0] = components
  const plane = planes[only]
  if (!plane) throw new RangeError('Expected a component.')
  if (components.length === 1) {
    for (let y = 0; y < plane.blocksY; y++) {
      for (let x = 0; x < plane.blocksX; x++) {
        beginUnit()
        addBlock(only, x, y)
      }
    }
  } else {
    for (let y = 0; y < plane.paddedY / plane.factorY; y++) {
      for (let x = 0; x < plane.paddedX / plane.factorX; x++) {
        beginUnit()
        for (const index of components) {
          const { factorX = 1, factorY = 1 } = planes[index] ?? {}
          for (let j = 0; j < factorY; j++)
            for (let i = 0; i < factorX; i++) addBlock(index, x * factorX + i, y * factorY + j)
        }
      }
    }
  }
  endRun()
  return tokens
}

function sizeOf(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1
}

/** Symbol to length: the commonest get 2 to 7 bits, all others 14, so that both kinds of look-up are used. */
function buildTable(tokens: readonly Token[], table: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const token of tokens) {
    if (token?.table === table) counts.set(token.symbol, (counts.get(token.symbol) ?? 0) + 1)
  }
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
  return new Map(ordered.map(([symbol], i) => [symbol, i < 6 ? i + 2 : 14]))
}

function describe(lengths: ReadonlyMap<number, number>): number[] {
  const counts = Array.from({ length: 16 }, (_, i) => [...lengths.values()].filter(length => length === i + 1).length)
  return [...counts, ...lengths.keys()]
}

/** The bytes of a scan: stuffed, padded with ones before each restart and at the end. */
function pack(tokens: readonly Token[], tables: readonly ReadonlyMap<number, number>[]): Buffer {
  const codes = tables.map(lengths => {
    let code = 0
    let before = 0
    return new Map(
      [...lengths].map(([symbol, length]) => {
        code <<= length - before
        before = length
        return [symbol, { code: code++, length }] as const
      }),
    )
  })
  const bytes: number[] = []
  let held = 0
  let count = 0
  const put = (value: number, size: number): void => {
    for (let i = size - 1; i >= 0; i--) {
      held = held * 2 + ((value >> i) & 1)
      if (++count < 8) continue
      bytes.push(held)
      if (held === 255) bytes.push(0)
      held = 0
      count = 0
    }
  }
  const pad = (): void => {
    const spare = (8 - count) & 7
    put(2 ** spare - 1, spare)
  }
  let restarts = 0
  for (const token of tokens) {
    if (token === null) {
      pad()
      bytes.push(0xff, 0xd0 + (restarts++ % 8))
      continue
    }
    const code = codes[token.table]?.get(token.symbol)
    if (code) put(code.code, code.length)
    put(token.value, token.size)
  }
  pad()
  return Buffer.from(bytes)
}

function segment(marker: number, body: readonly number[]): Buffer {
  return Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body)
}
