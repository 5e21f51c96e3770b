import type { Random } from './random.ts'

type Segment = { readonly marker: number; readonly at: number; readonly end: number }

/** The segments that carry a length, wherever they stand; `end` is where the next byte after it is. */
export function segmentsOf(bytes: Uint8Array): Segment[] {
  const segments: Segment[] = []
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) {
      at++
      continue
    }
    const end = Math.min(bytes.length, at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0))
    segments.push({ marker, at, end })
    at = Math.max(end, at + 2)
  }
  return segments
}

/**
 * One way to damage a file: `other` is another file, for what takes parts of it. Works in place where it can.
 */
type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer

function dataAt(bytes: Buffer): number {
  return segmentsOf(bytes).find(({ marker }) => marker === 0xda)?.end ?? 2
}

function pickSegment(bytes: Buffer, random: Random, ...markers: number[]): Segment | null {
  const found = segmentsOf(bytes).filter(({ marker }) => markers.length === 0 || markers.includes(marker))
  return found[random.below(found.length)] ?? null
}

function insert(bytes: Buffer, at: number, ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])
}

/** Somewhere in the entropy-coded data. */
function inData(bytes: Buffer, random: Random): number {
  const from = dataAt(bytes)
  return Math.max(2, Math.min(bytes.length - 1, from + random.below(bytes.length - from)))
}

function set(bytes: Buffer, at: number, value: number): Buffer {
  if (at < bytes.length) bytes[at] = value & 255
  return bytes
}

const samplings = [0x11, 0x21, 0x12, 0x22, 0x41, 0x14, 0x44, 0x31, 0x13, 0x00] as const

export const mutations: Readonly<Record<string, Mutation>> = {
  'bits of the data': (bytes, random) => {
    for (let i = 1 + random.below(8); i > 0; i--) {
      const at = inData(bytes, random)
      set(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
    }
    return bytes
  },
  'one bit of the data': (bytes, random) => {
    const at = inData(bytes, random)
    return set(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
  },
  'a byte of the data': (bytes, random) => set(bytes, inData(bytes, random), random.below(256)),
  'bytes of the header': (bytes, random) => {
    const end = Math.min(bytes.length, dataAt(bytes))
    for (let i = 1 + random.below(4); i > 0; i--)
      set(bytes, 2 + random.below(end - 2), random.pick([0, 255, 1, 128, random.below(256)]))
    return bytes
  },
  'bits of the header': (bytes, random) => {
    const end = Math.min(bytes.length, dataAt(bytes))
    for (let i = 1 + random.below(4); i > 0; i--) {
      const at = 2 + random.below(end - 2)
      set(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)))
    }
    return bytes
  },
  'cut short': (bytes, random) => bytes.subarray(0, 2 + random.below(bytes.length - 2)),
  'cut short, with its end': (bytes, random) =>
    Buffer.concat([bytes.subarray(0, inData(bytes, random)), Buffer.of(0xff, 0xd9)]),
  'zeros to the end': (bytes, random) => bytes.fill(0, inData(bytes, random)),
  'the size': (bytes, random) => {
    const frame = pickSegment(bytes, random, 0xc0, 0xc1, 0xc2)
    if (!frame) return bytes
    const at = frame.at + random.pick([5, 7])
    if (random.below(3) === 0) return set(set(bytes, at, random.pick([0, 0, 0, 1, 4, 255])), at + 1, random.below(256))
    return set(bytes, at + 1, (bytes[at + 1] ?? 0) + random.below(41) - 20)
  },
  'the sampling': (bytes, random) => {
    const frame = pickSegment(bytes, random, 0xc0, 0xc1, 0xc2)
    return frame
      ? set(bytes, frame.at + 11 + 3 * random.below(bytes[frame.at + 9] ?? 1), random.pick(samplings))
      : bytes
  },
  'the frame': (bytes, random) => {
    const frame = pickSegment(bytes, random, 0xc0, 0xc1, 0xc2)
    if (!frame) return bytes
    const what = random.below(3)
    if (what === 0) return set(bytes, frame.at + 1, random.pick([0xc0, 0xc1, 0xc2, 0xc2, 0xc3, 0xc9]))
    if (what === 1) return set(bytes, frame.at + 12 + 3 * random.below(3), random.below(5))
    return set(bytes, frame.at + 10 + 3 * random.below(3), random.below(5))
  },
  'a Huffman table': (bytes, random) => {
    const table = pickSegment(bytes, random, 0xc4)
    if (!table) return bytes
    const what = random.below(4)
    if (what === 0) {
      const at = table.at + 5 + random.below(16)
      return set(bytes, at, (bytes[at] ?? 0) + random.below(5) - 2)
    }
    if (what === 1) return set(bytes, table.at + 21 + random.below(table.end - table.at - 21), random.below(256))
    if (what === 2) return set(bytes, table.at + 4, random.pick([0, 1, 2, 3, 0x10, 0x11, 0x12, 0x20]))
    // one code less of a length, one more of another: the table keeps its size
    const from = table.at + 5 + random.below(16)
    const to = table.at + 5 + random.below(16)
    if ((bytes[from] ?? 0) === 0) return bytes
    return set(set(bytes, from, (bytes[from] ?? 0) - 1), to, (bytes[to] ?? 0) + 1)
  },
  'a quantiser': (bytes, random) => {
    const table = pickSegment(bytes, random, 0xdb)
    if (!table) return bytes
    if (random.below(8) === 0) return set(bytes, table.at + 4, random.below(32))
    return set(
      bytes,
      table.at + 5 + random.below(table.end - table.at - 5),
      random.pick([0, 255, 1, random.below(256)]),
    )
  },
  'a restart interval': (bytes, random) => {
    const found = pickSegment(bytes, random, 0xdd)
    if (found && random.below(3) > 0)
      return set(bytes, found.at + (random.below(8) === 0 ? 4 : 5), random.below(random.pick([4, 20, 256])))
    const scan = pickSegment(bytes, random, 0xda)
    return insert(bytes, scan?.at ?? 2, Buffer.of(0xff, 0xdd, 0, 4, 0, random.below(30)))
  },
  'a scan header': (bytes, random) => {
    const scan = pickSegment(bytes, random, 0xda)
    if (!scan) return bytes
    const count = bytes[scan.at + 4] ?? 0
    const tail = scan.at + 5 + 2 * count
    const what = random.below(6)
    if (what === 0) return set(bytes, scan.at + 4, random.below(5))
    if (what === 1) return set(bytes, scan.at + 5 + 2 * random.below(count), random.below(5))
    if (what === 2) return set(bytes, scan.at + 6 + 2 * random.below(count), random.below(4) * 16 + random.below(4))
    if (what === 3) return set(bytes, tail, random.below(random.pick([3, 64, 256])))
    if (what === 4) return set(bytes, tail + 1, random.pick([0, 1, 5, 63, 64, random.below(64)]))
    return set(bytes, tail + 2, random.below(random.pick([4, 256])) * 16 + random.below(random.pick([4, 16])))
  },
  'a marker in the data': (bytes, random) => {
    const at = inData(bytes, random)
    const marker = random.pick([0xd0 + random.below(8), 0xd9, 0xda, 255, 0xc4, 0, 1, 0xdd])
    return random.below(2) ? insert(bytes, at, Buffer.of(0xff, marker)) : set(set(bytes, at, 255), at + 1, marker)
  },
  'bytes dropped': (bytes, random) => {
    const at = inData(bytes, random)
    const end = at + 1 + random.below(random.pick([2, 8, 400]))
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, end))])
  },
  'bytes doubled': (bytes, random) => {
    const at = inData(bytes, random)
    return insert(bytes, at, bytes.subarray(at, at + 1 + random.below(random.pick([2, 8, 400]))))
  },
  'a segment dropped': (bytes, random) => {
    const found = pickSegment(bytes, random)
    return found ? Buffer.concat([bytes.subarray(0, found.at), bytes.subarray(found.end)]) : bytes
  },
  'a segment twice': (bytes, random) => {
    const found = pickSegment(bytes, random)
    const before = pickSegment(bytes, random)
    return found && before ? insert(bytes, before.at, Buffer.from(bytes.subarray(found.at, found.end))) : bytes
  },
  "another's segment": (bytes, random, other) => {
    const found = pickSegment(other, random)
    const before = pickSegment(bytes, random)
    return found && before ? insert(bytes, before.at, other.subarray(found.at, found.end)) : bytes
  },
  "another's scan": (bytes, random, other) => {
    const scan = pickSegment(bytes, random, 0xda)
    const found = pickSegment(other, random, 0xda)
    return scan && found ? Buffer.concat([bytes.subarray(0, scan.at), other.subarray(found.at)]) : bytes
  },
  "another's data": (bytes, _random, other) =>
    Buffer.concat([bytes.subarray(0, dataAt(bytes)), other.subarray(dataAt(other))]),
  'a scan and its data twice': (bytes, random) => {
    const scan = pickSegment(bytes, random, 0xda)
    if (!scan) return bytes
    const next = segmentsOf(bytes).find(({ at }) => at >= scan.end)?.at ?? bytes.length - 2
    return insert(bytes, Math.max(scan.end, next), Buffer.from(bytes.subarray(scan.at, Math.max(scan.end, next))))
  },
  'noise for data': (bytes, random) => {
    for (let at = inData(bytes, random); at < bytes.length - 2; at++) set(bytes, at, random.below(256))
    return bytes
  },
  'a run of one byte': (bytes, random) => {
    const at = inData(bytes, random)
    const end = Math.min(bytes.length, at + 1 + random.below(random.pick([8, 64, 1024])))
    return bytes.fill(random.pick([0, 255, 0x55, 0xaa]), at, end)
  },
  'bytes behind the end': (bytes, random) =>
    Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + random.below(50) }, () => random.below(256)))]),
  'bytes before the end': (bytes, random) =>
    insert(
      bytes,
      Math.max(2, bytes.length - 2),
      Buffer.from(random.pick([[0], [0, 0], [255, 0], [255, 255], [0x7f, 1, 2]])),
    ),
}

const names = Object.keys(mutations)

/** A copy of `bytes` after 1 to `most` mutations, with the name of the first. */
export function mutateJpeg(
  bytes: Uint8Array,
  other: Uint8Array,
  random: Random,
  most: number,
): { readonly bytes: Buffer; readonly name: string } {
  let mutant = Buffer.from(bytes)
  let first: string | null = null
  for (let i = 1 + random.below(most); i > 0; i--) {
    const name = names[random.below(names.length)] ?? ''
    if (mutant.length < 8) break
    mutant = Buffer.from(mutations[name]?.(mutant, random, Buffer.from(other)) ?? mutant)
    first ??= name
  }
  return { bytes: mutant, name: first ?? 'none' }
}
