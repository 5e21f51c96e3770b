export type Seed = { readonly name: string; readonly bytes: Buffer }

/** Valid grey files, made by hand, whose little data asks for much work: the worst known of each kind. */
export function costlyJpegs(sidePx: number): Seed[] {
  const blocks = Math.ceil(sidePx / 8) ** 2
  const eobRuns = bandScan(blocks)
  return [
    {
      name: 'sequential, two bits a block',
      bytes: file(sidePx, 0xc0, [scan([0, 63, 0, 0], [oneDc, table(0x10, [0x00])], new Bits().repeat('00', blocks))]),
    },
    {
      name: 'sequential, every coefficient there, two bits each',
      bytes: file(sidePx, 0xc0, [
        scan([0, 63, 0, 0], [oneDc, table(0x10, [0x01])], new Bits().repeat(`0${'01'.repeat(63)}`, blocks)),
      ]),
    },
    {
      name: 'sequential, the longest codes',
      bytes: file(sidePx, 0xc0, [
        scan([0, 63, 0, 0], [oneDc, longTable(0x10, 0x01)], new Bits().repeat(`0${LONG.repeat(63)}`, blocks)),
      ]),
    },
    {
      name: 'progressive, 64 scans of runs that cover everything, each with a table of its own',
      bytes: file(sidePx, 0xc2, [
        scan([0, 0, 0, 0], [oneDc], new Bits().repeat('0', blocks)),
        ...Array.from({ length: 63 }, (_, i) => scan([i + 1, i + 1, 0, 0], [table(0x10, [0xe0])], eobRuns)),
      ]),
    },
    {
      name: 'progressive, every coefficient refined a bit at a time',
      bytes: file(sidePx, 0xc2, [
        scan([0, 0, 0, 4], [oneDc], new Bits().repeat('0', blocks)),
        scan([1, 63, 0, 4], [table(0x10, [0x01])], new Bits().repeat('01'.repeat(63), blocks)),
        ...[3, 2, 1, 0].flatMap(low => [
          scan([0, 0, low + 1, low], [], new Bits().repeat('1', blocks)),
          scan([1, 63, low + 1, low], [table(0x10, [0xe0])], refinement(blocks)),
        ]),
      ]),
    },
    {
      name: 'progressive, refinements of one or two bits a block',
      bytes: file(sidePx, 0xc2, [
        scan([0, 0, 0, 0], [oneDc], new Bits().repeat('0', blocks)),
        scan([1, 1, 0, 9], [table(0x10, [0x01])], new Bits().repeat('01', blocks)),
        scan([2, 63, 0, 9], [table(0x10, [0x00])], new Bits().repeat('0', blocks)),
        ...Array.from({ length: 9 }, (_, i) => [
          scan([1, 1, 9 - i, 8 - i], [], new Bits().repeat('01', blocks)),
          scan([2, 63, 9 - i, 8 - i], [], new Bits().repeat('0', blocks)),
        ]).flat(),
      ]),
    },
  ]
}

const LONG = '11111111111111101'

/** Category 0 in one bit. */
const oneDc = table(0x00, [0x00])

class Bits {
  #text: string[] = []
  repeat(bits: string, times: number): this {
    this.#text.push(bits.repeat(times))
    return this
  }
  /** Padded with ones, and with a zero behind each byte of ones. */
  bytes(): Buffer {
    const text = this.#text.join('')
    const bytes: number[] = []
    for (let at = 0; at < text.length; at += 8) {
      const byte = Number.parseInt(text.slice(at, at + 8).padEnd(8, '1'), 2)
      bytes.push(byte)
      if (byte === 255) bytes.push(0)
    }
    return Buffer.from(bytes)
  }
}

/** Runs to the end of the band of up to 32,767 blocks: their code is 0, 14 bits follow. */
function bandScan(blocks: number): Bits {
  const bits = new Bits()
  for (let left = blocks; left > 0; ) {
    if (left < 16_384) {
      // a run needs at least 16,384 blocks: it may cover more than there are
      bits.repeat(`0${'0'.repeat(14)}`, 1)
      break
    }
    const run = Math.min(32_767, left)
    bits.repeat(`0${(run - 16_384).toString(2).padStart(14, '0')}`, 1)
    left -= run
  }
  return bits
}

/** One run over all blocks, with a correction for each of 63 coefficients of each block. */
function refinement(blocks: number): Bits {
  const bits = new Bits()
  for (let left = blocks; left > 0; ) {
    const run = Math.min(32_767, Math.max(16_384, left))
    bits
      .repeat(`0${(run - 16_384).toString(2).padStart(14, '0')}`, 1)
      .repeat('10'.repeat(31) + '1', Math.min(run, left))
    left -= run
  }
  return bits
}

function segment(marker: number, body: readonly number[]): Buffer {
  return Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body)
}

/** A Huffman table whose one code is a 0. */
function table(kind: number, symbols: readonly number[]): Buffer {
  return segment(0xc4, [kind, symbols.length, ...Array.from({ length: 15 }, () => 0), ...symbols])
}

/** A table whose last code has 16 bits: fifteen ones and a zero. */
function longTable(kind: number, symbol: number): Buffer {
  return segment(0xc4, [
    kind,
    ...Array.from({ length: 16 }, () => 1),
    ...Array.from({ length: 15 }, (_, i) => i + 2),
    symbol,
  ])
}

type Scan = { readonly band: readonly number[]; readonly tables: readonly Buffer[]; readonly bits: Bits }

function scan(band: readonly number[], tables: readonly Buffer[], bits: Bits): Scan {
  return { band, tables, bits }
}

function file(sidePx: number, frame: number, scans: readonly Scan[]): Buffer {
  const side = [sidePx >> 8, sidePx & 255]
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(frame, [8, ...side, ...side, 1, 1, 0x11, 0]),
    ...scans.flatMap(({ band: [first = 0, last = 0, high = 0, low = 0], tables, bits }) => [
      ...tables,
      segment(0xda, [1, 1, 0x00, first, last, high * 16 + low]),
      bits.bytes(),
    ]),
    Buffer.of(0xff, 0xd9),
  ])
}
