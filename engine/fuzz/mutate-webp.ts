import { chunksOf, wrapChunk, wrapWithAlpha } from '../test/decoding/make-webp.ts'
import type { Random } from './random.ts'

const FRAME_HEADER_BYTES = 10

type Mutation = (chunk: Buffer, random: Random, other: Buffer) => Buffer

/** Where damage to a chunk does most: the frame's header, the first partition's beginning, anywhere. */
function anyPlace(chunk: Buffer, random: Random): number {
  return random.below(Math.min(chunk.length, random.pick([10, 40, 200, chunk.length])))
}

function change(chunk: Buffer, at: number, value: number): Buffer {
  if (at < chunk.length) chunk[at] = value & 255
  return chunk
}

function cut(chunk: Buffer, from: number, end: number): Buffer {
  return Buffer.concat([chunk.subarray(0, from), chunk.subarray(end)])
}

/** How many bytes the first partition has. */
function firstBytes(chunk: Buffer): number {
  return chunk.length < 3 ? 0 : chunk.readUIntLE(0, 3) >> 5
}

function withFirstBytes(chunk: Buffer, bytes: number): Buffer {
  if (chunk.length >= 3) chunk.writeUIntLE(((bytes & 0x7ffff) << 5) | (chunk.readUIntLE(0, 3) & 31), 0, 3)
  return chunk
}

const mutations: Readonly<Record<string, Mutation>> = {
  'a bit': (chunk, random) => {
    const at = anyPlace(chunk, random)
    return change(chunk, at, (chunk[at] ?? 0) ^ (1 << random.below(8)))
  },
  'a byte': (chunk, random) => change(chunk, anyPlace(chunk, random), random.below(256)),
  'a byte of ones': (chunk, random) => change(chunk, anyPlace(chunk, random), 255),
  'several bytes': (chunk, random) => {
    for (let i = 2 + random.below(10); i > 0; i--) change(chunk, anyPlace(chunk, random), random.below(256))
    return chunk
  },
  'a run': (chunk, random) => {
    const from = anyPlace(chunk, random)
    return chunk.fill(random.pick([0, 255, 128, 1]), from, Math.min(chunk.length, from + 1 + random.below(64)))
  },
  'a long run': (chunk, random) => {
    const from = anyPlace(chunk, random)
    return chunk.fill(random.pick([0, 255, 85]), from, from + random.below(chunk.length - from))
  },
  'bytes missing': (chunk, random) => {
    const from = anyPlace(chunk, random)
    return cut(chunk, from, from + 1 + random.below(8))
  },
  'bytes too many': (chunk, random) => {
    const from = anyPlace(chunk, random)
    const more = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)))
    return Buffer.concat([chunk.subarray(0, from), more, chunk.subarray(from)])
  },
  truncated: (chunk, random) => chunk.subarray(0, anyPlace(chunk, random)),
  'truncated at the end': (chunk, random) => chunk.subarray(0, Math.max(0, chunk.length - 1 - random.below(40))),
  'truncated behind the first partition': (chunk, random) =>
    chunk.subarray(0, FRAME_HEADER_BYTES + firstBytes(chunk) + random.below(24)),
  'another size of the first partition': (chunk, random) =>
    withFirstBytes(chunk, firstBytes(chunk) + random.pick([-1, 1, -8, 8, -100, 100, 0x7ffff])),
  'a short first partition': (chunk, random) => withFirstBytes(chunk, random.below(firstBytes(chunk) + 1)),
  'another size of a partition': (chunk, random) => {
    const at = FRAME_HEADER_BYTES + firstBytes(chunk) + 3 * random.below(7)
    if (at + 3 > chunk.length) return chunk
    const bytes = chunk.readUIntLE(at, 3)
    chunk.writeUIntLE((bytes + random.pick([-1, 1, -9, 9, -300, 300, -bytes])) & 0xffffff, at, 3)
    return chunk
  },
  'another version': (chunk, random) => change(chunk, 0, (chunk[0] ?? 0) ^ (random.below(16) << 1)),
  'another width': (chunk, random) => change(chunk, 6, random.below(100)),
  'another height': (chunk, random) => change(chunk, 8, random.below(100)),
  'a larger side': (chunk, random) => change(chunk, random.pick([7, 9]), random.below(random.pick([2, 8, 256]))),
  'another size of a lossless picture': (chunk, random) => {
    if (chunk.length < 5) return chunk
    const side = (): number => random.below(random.pick([4, 100, 100, 1000]))
    chunk.writeUInt32LE(((chunk.readUInt32LE(1) & 0xf0000000) | side() | (side() << 14)) >>> 0, 1)
    return chunk
  },
  'another header': (chunk, random, other) => {
    const bytes = Math.min(chunk.length, other.length, 10 + random.below(60))
    return Buffer.concat([other.subarray(0, bytes), chunk.subarray(bytes)])
  },
  'another end': (chunk, random, other) => {
    const at = anyPlace(chunk, random)
    return Buffer.concat([chunk.subarray(0, at), other.subarray(Math.min(at, other.length))])
  },
  'another first partition': (chunk, _random, other) =>
    Buffer.concat([
      other.subarray(0, FRAME_HEADER_BYTES + firstBytes(other)),
      chunk.subarray(FRAME_HEADER_BYTES + firstBytes(chunk)),
    ]),
  'a part twice': (chunk, random) => {
    const from = anyPlace(chunk, random)
    const end = from + random.below(100)
    return Buffer.concat([chunk.subarray(0, end), chunk.subarray(from)])
  },
}

const names = Object.keys(mutations)

/** One in so many keeps the sizes of file and chunk that its damage made wrong. */
const WRONG_SIZE_OF = 24

/** A copy of `bytes` after 1 to `most` mutations, with the name of the first. */
export function mutateWebp(
  bytes: Buffer,
  other: Buffer,
  random: Random,
  most: number,
): { readonly bytes: Buffer; readonly name: string } {
  const parts = chunksOf(bytes)
  const others = chunksOf(other)
  const isAlpha = parts.alpha !== null && random.below(2) === 0
  const otherChunk = (isAlpha && others.alpha) || others.chunk
  let chunk = Buffer.from((isAlpha && parts.alpha) || parts.chunk)
  let first: string | null = null
  for (let i = 1 + random.below(most); i > 0 && chunk.length > 0; i--) {
    const name = names[random.below(names.length)] ?? ''
    chunk = Buffer.from(mutations[name]?.(chunk, random, Buffer.from(otherChunk)) ?? chunk)
    first ??= name
  }
  const isLossless = bytes.toString('latin1', 12, 16) === 'VP8L'
  const file =
    parts.alpha === null
      ? wrapChunk(chunk, isLossless ? 'VP8L' : 'VP8 ')
      : wrapWithAlpha(isAlpha ? chunk : parts.alpha, isAlpha ? parts.chunk : chunk)
  if (random.below(WRONG_SIZE_OF) === 0) {
    const at = random.pick([4, 16])
    file.writeUInt32LE(Math.max(0, file.readUInt32LE(at) + random.pick([-2, -1, 1, 2, 40])), at)
  }
  return { bytes: file, name: first ?? 'none' }
}
