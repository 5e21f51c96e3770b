import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { Random } from './random.ts'

const HEADER_END = 33

type Chunk = { readonly name: string; readonly at: number; readonly end: number }

/** Chunks as far as their lengths hold. */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    chunks.push({ name: bytes.toString('latin1', at + 4, at + 8), at, end })
    at = end
  }
  return chunks
}

/** Makes the checksums of all chunks right, so that damage reaches the decoder. */
function repair(bytes: Buffer): void {
  for (const { at, end } of chunksOf(bytes)) bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end - 4)), end - 4)
}

function chunk(name: string, data: Uint8Array): Buffer {
  const made = Buffer.alloc(12 + data.length)
  made.writeUInt32BE(data.length)
  made.write(name, 4, 'latin1')
  made.set(data, 8)
  return made
}

/** The zlib stream of all IDAT chunks. */
function dataOf(bytes: Buffer): Buffer {
  return Buffer.concat(
    chunksOf(bytes)
      .filter(({ name }) => name === 'IDAT')
      .map(({ at, end }) => bytes.subarray(at + 8, end - 4)),
  )
}

/** The file with another zlib stream, in `parts` chunks. */
function withData(bytes: Buffer, data: Uint8Array, parts = 1): Buffer {
  const chunks = chunksOf(bytes)
  const first = chunks.findIndex(({ name }) => name === 'IDAT')
  const keep = (from: number, end?: number): Buffer[] =>
    chunks.slice(from, end).flatMap(({ name, at, end }) => (name === 'IDAT' ? [] : [bytes.subarray(at, end)]))
  const size = Math.max(1, Math.ceil(data.length / parts))
  const idats = Array.from({ length: Math.ceil(data.length / size) }, (_, i) =>
    chunk('IDAT', data.subarray(i * size, (i + 1) * size)),
  )
  return Buffer.concat([bytes.subarray(0, 8), ...keep(0, first), ...idats, ...keep(first)])
}

/** Changes the filtered rows; the file as it is where they cannot be had. */
function withRows(bytes: Buffer, random: Random, change: (rows: Buffer) => Buffer): Buffer {
  try {
    const rows = inflateSync(dataOf(bytes), { maxOutputLength: 2 ** 22 })
    return withData(
      bytes,
      deflateSync(change(rows), { level: random.pick([0, 1, 6, 9]), memLevel: random.pick([1, 8]) }),
    )
  } catch {
    // a stream that is damaged already
    return bytes
  }
}

function set(bytes: Buffer, at: number, value: number): Buffer {
  if (at >= 0 && at < bytes.length) bytes[at] = value
  return bytes
}

function flip(bytes: Buffer, random: Random, from: number, end: number): Buffer {
  for (let i = random.pick([1, 1, 2, 8]); i > 0; i--) {
    const at = from + random.below(end - from)
    set(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
  }
  return bytes
}

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer

const mutations: Readonly<Record<string, Mutation>> = {
  'bits of the stream': (bytes, random) => {
    const data = dataOf(bytes)
    return withData(bytes, flip(data, random, 0, data.length))
  },
  'bits of the first codes': (bytes, random) => {
    const data = dataOf(bytes)
    return withData(bytes, flip(data, random, 0, Math.min(data.length, 80)))
  },
  'bytes of the stream': (bytes, random) => {
    const data = dataOf(bytes)
    for (let i = random.pick([1, 2, 9]); i > 0; i--)
      set(data, random.below(data.length), random.pick([0, 255, random.below(256)]))
    return withData(bytes, data)
  },
  'a stream cut short': (bytes, random) => {
    const data = dataOf(bytes)
    return withData(bytes, data.subarray(0, random.below(data.length)))
  },
  'a stream of two': (bytes, random, other) => {
    const data = dataOf(bytes)
    const rest = dataOf(other)
    return withData(
      bytes,
      Buffer.concat([data.subarray(0, random.below(data.length)), rest.subarray(random.below(rest.length))]),
    )
  },
  'bytes dropped or doubled': (bytes, random) => {
    const data = dataOf(bytes)
    const at = random.below(data.length)
    const end = at + random.below(random.pick([2, 8, 200]))
    return withData(bytes, Buffer.concat([data.subarray(0, random.below(2) ? at : end), data.subarray(at)]))
  },
  'bytes behind the stream': (bytes, random) =>
    withData(bytes, Buffer.concat([dataOf(bytes), Buffer.alloc(1 + random.below(9), random.below(256))])),
  'the checksum of the stream': (bytes, random) => {
    const data = dataOf(bytes)
    return withData(bytes, flip(data, random, Math.max(0, data.length - 4), data.length))
  },
  'the zlib header': (bytes, random) => {
    const data = dataOf(bytes)
    const first = random.pick([0x78, 0x08, 0x18, 0x48, 0x88, 0x79, random.below(256)])
    const second = 31 - ((first * 256) % 31) + random.pick([0, 0, 31, 1])
    return withData(bytes, set(set(data, 0, first), 1, second))
  },
  'other filters': (bytes, random) =>
    withRows(bytes, random, rows => {
      const rowBytes = Math.max(1, Math.floor(rows.length / Math.max(1, bytes.readUInt32BE(20))))
      for (let at = 0; at < rows.length; at += rowBytes) if (random.below(3) === 0) set(rows, at, random.below(5))
      if (random.below(6) === 0) set(rows, rowBytes * random.below(9), 5 + random.below(250))
      return rows
    }),
  'other samples': (bytes, random) =>
    withRows(bytes, random, rows => {
      for (let i = random.below(200); i > 0; i--) set(rows, random.below(rows.length), random.below(256))
      return rows
    }),
  'a run of zeros': (bytes, random) =>
    withRows(bytes, random, rows => {
      const at = random.below(rows.length)
      return rows.fill(0, at, Math.min(rows.length, at + random.below(random.pick([40, 400, 4000]))))
    }),
  'more or fewer rows': (bytes, random) =>
    withRows(bytes, random, rows =>
      random.below(2)
        ? rows.subarray(0, random.below(rows.length))
        : Buffer.concat([rows, rows.subarray(0, random.below(rows.length))]),
    ),
  'chunks of the data': (bytes, random) => withData(bytes, dataOf(bytes), 1 + random.below(random.pick([3, 40, 2000]))),
  'an empty chunk': (bytes, random) => {
    const { at } = chunksOf(bytes)[random.below(chunksOf(bytes).length)] ?? { at: HEADER_END }
    const name = random.pick(['IDAT', 'PLTE', 'tRNS', 'tEXt', 'IEND', 'acTL'])
    return Buffer.concat([bytes.subarray(0, at), chunk(name, new Uint8Array(0)), bytes.subarray(at)])
  },
  'the size': (bytes, random) => {
    const at = random.pick([16, 20])
    const value = bytes.readUInt32BE(at)
    const other = random.pick([value - 1, value + 1, value * 2, 1, 16_384, random.below(300), random.below(2 ** 32)])
    bytes.writeUInt32BE(Math.max(0, Math.min(2 ** 32 - 1, other)), at)
    return bytes
  },
  'the format': (bytes, random) =>
    random.below(2)
      ? set(bytes, 24, random.pick([1, 2, 4, 8, 16]))
      : set(bytes, 25, random.pick([0, 2, 3, 4, 6, random.below(8)])),
  'the header': (bytes, random) => flip(bytes, random, 16, 29),
  'a palette': (bytes, random) => {
    const colors = Buffer.from(Array.from({ length: random.pick([3, 6, 12, 48, 768, 7]) }, () => random.below(256)))
    return Buffer.concat([bytes.subarray(0, HEADER_END), chunk('PLTE', colors), bytes.subarray(HEADER_END)])
  },
  transparency: (bytes, random) => {
    const before = chunksOf(bytes).find(({ name }) => name === 'IDAT')?.at ?? HEADER_END
    const alphas = Buffer.from(
      Array.from({ length: random.pick([1, 2, 2, 6, 6, 16, 256]) }, (_, i) => (i & 1 ? random.below(256) : 0)),
    )
    return Buffer.concat([bytes.subarray(0, before), chunk('tRNS', alphas), bytes.subarray(before)])
  },
  'a chunk moved': (bytes, random) => {
    const chunks = chunksOf(bytes)
    const { at, end } = chunks[random.below(chunks.length)] ?? { at: 8, end: 8 }
    const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    const to = chunksOf(rest)[random.below(chunks.length)]?.at ?? 8
    return Buffer.concat([rest.subarray(0, to), bytes.subarray(at, end), rest.subarray(to)])
  },
  "another's chunk": (bytes, random, other) => {
    const from = chunksOf(other)[random.below(chunksOf(other).length)]
    const to = chunksOf(bytes)[random.below(chunksOf(bytes).length)]
    if (!from || !to) return bytes
    return Buffer.concat([bytes.subarray(0, to.at), other.subarray(from.at, from.end), bytes.subarray(to.at)])
  },
  'a file cut short': (bytes, random) => bytes.subarray(0, 8 + random.below(bytes.length - 8)),
  'any byte': (bytes, random) => set(bytes, random.below(bytes.length), random.below(256)),
}

const names = Object.keys(mutations)

/** One in so many keeps the checksums that its damage made wrong. */
const WRONG_CHECKSUM_OF = 24

/** A copy of `bytes` after 1 to `most` mutations, with the name of the first. */
export function mutatePng(
  bytes: Uint8Array,
  other: Uint8Array,
  random: Random,
  most: number,
): { readonly bytes: Buffer; readonly name: string } {
  let mutant = Buffer.from(bytes)
  let first: string | null = null
  for (let i = 1 + random.below(most); i > 0 && mutant.length > HEADER_END; i--) {
    const name = names[random.below(names.length)] ?? ''
    mutant = Buffer.from(mutations[name]?.(mutant, random, Buffer.from(other)) ?? mutant)
    first ??= name
  }
  if (random.below(WRONG_CHECKSUM_OF) > 0) repair(mutant)
  return { bytes: mutant, name: first ?? 'none' }
}
