import { readFileSync } from 'node:fs'
import type { Random } from '../../fuzz/random.ts'

/** What a made-up frame's header says (RFC 6386, section 9). Everything else is of random numbers. */
export type WebpSpec = {
  readonly widthPx: number
  readonly heightPx: number
  /** 0 to 3 */
  readonly version?: number
  readonly segments?: {
    /** probabilities of the tree, null: the frame has no map */
    readonly map: readonly [number, number, number] | null
    readonly isAbsolute: boolean
    readonly quantizers: readonly [number, number, number, number]
    readonly levels: readonly [number, number, number, number]
  }
  readonly isSimple?: boolean
  /** 0 to 63 */
  readonly level?: number
  /** 0 to 7 */
  readonly sharpness?: number
  /** of the frame, and of macroblocks of 4 x 4 blocks: -63 to 63 */
  readonly deltas?: readonly [number, number]
  /** 0 to 3: of how many partitions the logarithm is */
  readonly partitions?: number
  /** 0 to 127, and the differences of Y1 DC, Y2 DC, Y2 AC, UV DC and UV AC: -15 to 15 */
  readonly quantizer?: number
  readonly differences?: readonly number[]
  /** 0 to 255: how likely a macroblock has coefficients; null: all have */
  readonly skip?: number | null
  /** 0 to 1: how many probabilities of tokens are written */
  readonly newProbabilities?: number
  /** random bytes of each macroblock, in both kinds of partition */
  readonly bytesPerBlock?: number
}

/** Encodes bits by their probabilities (RFC 6386, section 7.3). */
class BitWriter {
  readonly #bytes: number[] = []
  #range = 255
  #bottom = 0
  #left = 24

  /** `probability`: of a 0, of 256 */
  bit(bit: boolean, probability = 128): void {
    const split = 1 + (((this.#range - 1) * probability) >> 8)
    if (bit) {
      this.#bottom += split
      this.#range -= split
    } else this.#range = split
    while (this.#range < 128) {
      this.#range *= 2
      if (this.#bottom >= 2 ** 31) this.#carry()
      this.#bottom = (this.#bottom * 2) % 2 ** 32
      if (--this.#left > 0) continue
      this.#bytes.push(Math.floor(this.#bottom / 2 ** 24))
      this.#bottom %= 2 ** 24
      this.#left = 8
    }
  }

  number(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) this.bit(((value >> i) & 1) === 1)
  }

  /** A number and its sign, or that there is none where it is 0. */
  optional(value: number, bits: number): void {
    this.bit(value !== 0)
    if (value === 0) return
    this.number(Math.abs(value), bits)
    this.bit(value < 0)
  }

  end(): readonly number[] {
    for (let i = 0; i < 32; i++) this.bit(false)
    return this.#bytes
  }

  #carry(): void {
    let i = this.#bytes.length - 1
    for (; i >= 0 && this.#bytes[i] === 255; i--) this.#bytes[i] = 0
    if (i >= 0) this.#bytes[i] = (this.#bytes[i] ?? 0) + 1
  }
}

/** How likely a probability of a token is the default one, as the kernel has it: RFC 6386, section 13.4. */
const updateProbabilities: readonly number[] = readTable('UPDATE_PROBABILITIES')

function readTable(name: string): readonly number[] {
  const source = readFileSync(new URL('../../kernels/assembly/webp/tables.ts', import.meta.url), 'utf8')
  const from = source.indexOf('[', source.indexOf(`export const ${name}`))
  return source
    .slice(from + 1, source.indexOf(']', from))
    .split(',')
    .map(Number)
}

/**
 * A WebP file whose modes and coefficients are what random bytes say by the frame's probabilities: every
 * feature of a key frame comes, and libwebp takes all such files.
 */
export function makeWebp(spec: WebpSpec, random: Random): Buffer {
  const { widthPx, heightPx, segments, deltas, partitions = 0, skip = null, bytesPerBlock = 400 } = spec
  const blocks = Math.ceil(widthPx / 16) * Math.ceil(heightPx / 16)
  const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => random.below(256)))
  const header = new BitWriter()
  header.number(0, 2)
  header.bit(segments !== undefined)
  if (segments) {
    header.bit(segments.map !== null)
    header.bit(true)
    header.bit(segments.isAbsolute)
    for (const quantizer of segments.quantizers) header.optional(quantizer, 7)
    for (const level of segments.levels) header.optional(level, 6)
    for (const probability of segments.map ?? []) {
      header.bit(probability !== 255)
      if (probability !== 255) header.number(probability, 8)
    }
  }
  header.bit(spec.isSimple ?? false)
  header.number(spec.level ?? 0, 6)
  header.number(spec.sharpness ?? 0, 3)
  header.bit(deltas !== undefined)
  if (deltas) {
    header.bit(true)
    for (const delta of [deltas[0], 5, -9, 0, deltas[1], 1, 0, -63]) header.optional(delta, 6)
  }
  header.number(partitions, 2)
  header.number(spec.quantizer ?? 20, 7)
  for (let i = 0; i < 5; i++) header.optional(spec.differences?.[i] ?? 0, 4)
  header.bit(false)
  for (const probability of updateProbabilities) {
    const isNew = random.next() < (spec.newProbabilities ?? 0)
    header.bit(isNew, probability)
    if (isNew) header.number(random.below(256), 8)
  }
  header.bit(skip !== null)
  if (skip !== null) header.number(skip, 8)
  const first = Buffer.concat([Buffer.from(header.end()), noise(blocks * 24 + 16)])
  const count = 2 ** partitions
  const data = Array.from({ length: count }, () => {
    const bytes = noise(Math.ceil((blocks * bytesPerBlock) / count) + 64)
    // No encoder begins a partition with 255: the first number would be beyond the range.
    bytes.writeUInt8(random.below(255))
    return bytes
  })
  const sizes = data.slice(0, -1).map(({ length }) => Buffer.from([length & 255, (length >> 8) & 255, length >> 16]))
  const tag = Buffer.alloc(10)
  tag.writeUIntLE(((spec.version ?? 0) << 1) | 16 | (first.length * 32), 0, 3)
  tag.set([0x9d, 0x01, 0x2a], 3)
  tag.writeUInt16LE(widthPx, 6)
  tag.writeUInt16LE(heightPx, 8)
  return wrapChunk(Buffer.concat([tag, first, ...sizes, ...data]))
}

/** A simple file of a VP8 or VP8L chunk. */
export function wrapChunk(chunk: Buffer, name: 'VP8 ' | 'VP8L' = 'VP8 '): Buffer {
  const padding = chunk.length & 1
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(12 + chunk.length + padding, 4)
  head.write(`WEBP${name}`, 8, 'latin1')
  head.writeUInt32LE(chunk.length, 16)
  return Buffer.concat([head, chunk, Buffer.alloc(padding)])
}

/** An extended file of a VP8 chunk and its alpha (RFC 9649, section 2.7.1.2). */
export function wrapWithAlpha(alpha: Buffer, frame: Buffer): Buffer {
  const canvas = Buffer.alloc(10)
  canvas.writeUInt8(0x10)
  if (frame.length >= 10) {
    canvas.writeUIntLE(((frame.readUInt16LE(6) & 0x3fff) + 0xffffff) % 2 ** 24, 4, 3)
    canvas.writeUIntLE(((frame.readUInt16LE(8) & 0x3fff) + 0xffffff) % 2 ** 24, 7, 3)
  }
  const chunks = (
    [
      ['VP8X', canvas],
      ['ALPH', alpha],
      ['VP8 ', frame],
    ] as const
  ).flatMap(([name, chunk]) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(chunk.length, 4)
    return [head, chunk, Buffer.alloc(chunk.length & 1)]
  })
  const body = Buffer.concat(chunks)
  const head = Buffer.alloc(12)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  head.write('WEBP', 8, 'latin1')
  return Buffer.concat([head, body])
}

/** The chunks of alpha (null where there is none) and of the picture. */
export function chunksOf(file: Buffer): { readonly alpha: Buffer | null; readonly chunk: Buffer } {
  if (file.toString('latin1', 12, 16) !== 'VP8X') return { alpha: null, chunk: chunkOf(file) }
  const alphaEnd = 38 + file.readUInt32LE(34)
  const at = alphaEnd + (alphaEnd & 1)
  return { alpha: file.subarray(38, alphaEnd), chunk: file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4)) }
}

/** The VP8 or VP8L chunk of a simple file. */
export function chunkOf(file: Buffer): Buffer {
  return file.subarray(20, 20 + file.readUInt32LE(16))
}

/** A frame with any features. */
export function anyWebp(random: Random, mostPx = 80): Buffer {
  const signed = (most: number): number => random.below(2 * most + 1) - most
  const four = (of: () => number): [number, number, number, number] => [of(), of(), of(), of()]
  const isAbsolute = random.below(2) === 0
  const any = (most: number): number => (isAbsolute ? random.below(most + 1) : signed(most))
  const spec: WebpSpec = {
    widthPx: 1 + random.below(mostPx),
    heightPx: 1 + random.below(mostPx),
    version: random.below(4),
    isSimple: random.below(3) === 0,
    level: random.below(4) === 0 ? 0 : random.below(64),
    sharpness: random.below(8),
    partitions: random.below(4),
    quantizer: random.below(random.pick([128, 30, 10])),
    differences: Array.from({ length: 5 }, () => (random.below(2) === 0 ? 0 : signed(15))),
    skip: random.below(2) === 0 ? null : random.below(256),
    newProbabilities: random.pick([0, 0, 0.02, 0.2]),
    ...(random.below(2) === 0 && { deltas: [signed(63), signed(63)] as const }),
    ...(random.below(2) === 0 && {
      segments: {
        map: random.below(4) === 0 ? null : [random.below(256), random.below(256), random.below(256)],
        isAbsolute,
        quantizers: four(() => any(127)),
        levels: four(() => any(63)),
      },
    }),
  }
  return makeWebp(spec, random)
}
