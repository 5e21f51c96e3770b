import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WebpOptions } from 'sharp'
import { Random } from '../../fuzz/random.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { MOST_REDUCTION } from '../../src/decoding/reduction/result-layout.ts'
import { WebpDecoder } from '../../src/decoding/webp/webp-decoder.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { reducePicture } from '../reference/reduce-reference.ts'
import { assertPart } from './assert-part.ts'
import { anyLosslessWebp, type LosslessSpec, makeLosslessWebp, type Transform } from './make-lossless-webp.ts'
import { chunkOf, wrapChunk } from './make-webp.ts'
import { assertEqual, builds, bySharp } from './webp-builds.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** Long enough that no bound would hold if the whole picture were held. */
const shortSidePx = isFull ? 600 : 340
/** So many random pictures, or a tenth of them. */
const rounds = (full: number): number => (isFull ? full : Math.ceil(full / 10))

const module = loadKernels().get('webp-decoder')

const decoder = builds[0][1]

/** Flat, smooth and rough parts of so many colours (0: any), opaque or of any alpha. */
function draw(
  widthPx: number,
  heightPx: number,
  random: Random,
  colors = 0,
  isOpaque = false,
): ReturnType<typeof sharp> {
  const any = (): number => (random.below(2 ** 32) | (isOpaque ? 0xff000000 : 0)) >>> 0
  const palette = Array.from({ length: Math.max(1, colors) }, any)
  const data = Uint32Array.from({ length: widthPx * heightPx }, (_, i) => {
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)]
    const kind = ((x >> 4) + (y >> 3)) % 3
    if (colors > 0) return palette[kind === 0 ? (x >> 3) % colors : random.below(colors)] ?? 0
    if (kind === 0) return palette[0] ?? 0
    const smooth = ((x * 5) & 255) | (((y * 3) & 255) << 8) | (((x + y) & 255) << 16) | 0xff000000
    return kind === 1 ? (smooth + random.below(3)) >>> 0 : any()
  })
  return sharp(new Uint8Array(data.buffer), { raw: { width: widthPx, height: heightPx, channels: 4 } })
}

describe('every byte of a lossless WebP is the one that libwebp gives, by both builds:', () => {
  it('sizes of 1 to 40 pixels', async () => {
    const random = new Random(1)
    for (let widthPx = 1; widthPx <= 40; widthPx += isFull ? 1 : 13) {
      for (const heightPx of [1, 2, 3, 9, 17, 40]) {
        const options: WebpOptions = { lossless: true, effort: random.below(7), exact: random.below(2) === 0 }
        const name = `${widthPx} x ${heightPx}, ${JSON.stringify(options)}`
        await assertEqual(await draw(widthPx, heightPx, random).webp(options).toBuffer(), name)
        const turned = draw(heightPx, widthPx, random, 0, true)
        await assertEqual(await turned.webp(options).toBuffer(), `${name}, turned and opaque`)
      }
    }
  })

  it('all efforts and qualities of the encoder, with alpha and without, near lossless too', async () => {
    const random = new Random(2)
    let turn = 0
    for (let effort = 0; effort <= 6; effort++) {
      for (const quality of [1, 50, 100]) {
        for (const isOpaque of [false, true]) {
          for (const nearLossless of [false, true]) {
            // a step that meets every effort and every kind
            if (turn++ % (isFull ? 1 : 11) !== 0) continue
            const options = { lossless: !nearLossless, nearLossless, effort, quality, exact: quality === 50 }
            const file = await draw(123, 81, random, 0, isOpaque).webp(options).toBuffer()
            await assertEqual(file, JSON.stringify({ ...options, isOpaque }))
          }
        }
      }
    }
  })

  it('palettes of every size, whose indices are packed by eight, four, two and one', async () => {
    const random = new Random(3)
    for (const colors of [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256, 257]) {
      for (const widthPx of [1, 7, 8, 9, 61]) {
        const file = await draw(widthPx, 47, random, colors)
          .webp({ lossless: true, effort: random.below(7) })
          .toBuffer()
        await assertEqual(file, `${colors} colours, ${widthPx} px`)
      }
    }
  })

  it('sides as long as they may be', async () => {
    const random = new Random(4)
    for (const [widthPx, heightPx] of [
      [16_383, 1],
      [1, 16_383],
      [16_383, isFull ? 33 : 3],
      [isFull ? 33 : 3, 16_383],
    ] as const)
      await assertEqual(
        await draw(widthPx, heightPx, random, 40).webp({ lossless: true, effort: 1 }).toBuffer(),
        `${widthPx} x ${heightPx}`,
      )
  })

  const head = { widthPx: 83, heightPx: 61 } as const
  const kinds: readonly Transform[] = ['predictor', 'color', 'green', 'colors']
  const orders = kinds.flatMap(a => [
    [a],
    ...kinds
      .filter(b => b !== a)
      .flatMap(b => [
        [a, b],
        ...kinds
          .filter(c => c !== a && c !== b)
          .flatMap(c => [
            [a, b, c],
            [a, b, c, ...kinds.filter(d => ![a, b, c].includes(d))],
          ]),
      ]),
  ])
  const made: Readonly<Record<string, readonly Partial<LosslessSpec>[]>> = {
    'transforms in every order': orders.map(transforms => ({ transforms, colors: 7 })),
    'tiles of every size': [2, 3, 4, 5, 6, 7, 8, 9].flatMap(tileBits =>
      [null, 1, 5, 30].map(groups => ({ tileBits, groups, transforms: ['predictor', 'color'] as const })),
    ),
    'palettes before and behind what predicts': [1, 2, 3, 4, 5, 16, 17, 256].flatMap(colors => [
      { colors, transforms: ['colors', 'predictor'] as const },
      { colors, transforms: ['predictor', 'colors', 'color'] as const },
    ]),
    'caches of every size': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap(cacheBits => [
      { cacheBits },
      { cacheBits, groups: 4, transforms: ['green'] as const },
    ]),
    'codes of one symbol to all': [1, 2, 3, 9, 40, 256].flatMap(symbols =>
      [0, 0.3].map(references => ({ symbols, references, transforms: ['predictor'] as const })),
    ),
    'mostly references': [0.5, 0.9, 1].map(references => ({ references })),
    'pixels whose alpha counts for nothing': [{ hasAlpha: false, transforms: ['predictor', 'color'] as const }],
  }
  for (const [what, specs] of Object.entries(made)) {
    it(`made-up streams: ${what}`, async () => {
      const random = new Random(5)
      for (const spec of specs) {
        for (let attempt = 0; attempt < (isFull ? 3 : 1); attempt++)
          await assertEqual(makeLosslessWebp({ ...head, ...spec }, random), JSON.stringify(spec))
      }
    })
  }

  it('made-up streams with everything at once', async () => {
    const random = new Random(6)
    for (let round = 0; round < rounds(400); round++) await assertEqual(anyLosslessWebp(random), `round ${round}`)
  })

  it('hundreds of groups of codes', async () => {
    const spec = { widthPx: 400, heightPx: 300, groups: 300, symbols: 12, cacheBits: 2 }
    await assertEqual(makeLosslessWebp(spec, new Random(8)), '300 groups')
  })

  it('references that reach back farther than a ring of rows is long, and around its end', async () => {
    const random = new Random(7)
    const wide = [
      [2000, 1100],
      [16_000, 150],
    ] as const
    for (const [widthPx, heightPx] of [...(isFull ? wide : []), [131, 9000] as const]) {
      const spec = { widthPx, heightPx, references: 0.9, far: 400, symbols: 8, cacheBits: 3 }
      await assertEqual(makeLosslessWebp(spec, random), `${widthPx} x ${heightPx}`)
    }
  })
})

describe('a reduced lossless WebP', () => {
  it('equals the plain definition, at every kind of size, by both builds', () => {
    const random = new Random(11)
    let compared = 0
    for (let round = 0; round < rounds(120); round++) {
      const file = anyLosslessWebp(random, 110)
      const whole = decoder.decode(file)
      const hasAlpha = ((chunkOf(file)[4] ?? 0) & 0x10) !== 0
      const side = (sidePx: number): number => {
        const least = Math.ceil(sidePx / MOST_REDUCTION)
        return random.below(4) === 0 ? sidePx : least + random.below(sidePx - least + 1)
      }
      const size = { widthPx: side(whole.widthPx), heightPx: side(whole.heightPx) }
      const isWhole = size.widthPx === whole.widthPx && size.heightPx === whole.heightPx
      const expected = isWhole ? whole.data : reducePicture(whole, size.widthPx, size.heightPx, !hasAlpha)
      for (const [build, one] of builds) {
        const { data, widthPx, heightPx, isOpaque } = one.decode(file, size)
        assert.deepEqual([widthPx, heightPx], [size.widthPx, size.heightPx])
        assert.ok(Buffer.from(expected).equals(data), `round ${round}, ${JSON.stringify(size)}, ${build}`)
        assert.equal(
          isOpaque,
          data.every((sample, i) => i % 4 !== 3 || sample === 255),
        )
        compared++
      }
    }
    assert.equal(compared, 2 * rounds(120))
  })

  it('has the same pixels in any part of it', () => {
    const random = new Random(12)
    const picture = { widthPx: 173, heightPx: 140 }
    const transforms = ['green', 'predictor', 'color'] as const
    const file = makeLosslessWebp({ ...picture, transforms, groups: 5, cacheBits: 4 }, random)
    for (let round = 0; round < rounds(150); round++) {
      const size = round % 3 === 0 ? picture : { widthPx: 8 + random.below(166), heightPx: 8 + random.below(133) }
      assertPart(decoder, file, size, random)
    }
  })
})

/** A stream of bits that are given lowest first. */
function stream(widthPx: number, heightPx: number, ...numbers: readonly (readonly [value: number, bits: number])[]) {
  const header = [
    [0x2f, 8],
    [widthPx - 1, 14],
    [heightPx - 1, 14],
    [0, 4],
  ] as const
  const bits = [...header, ...numbers].flatMap(([value, count]) =>
    Array.from({ length: count }, (_, i) => Math.floor(value / 2 ** i) & 1),
  )
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  bits.forEach((bit, i) => (bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (bit << (i & 7))))
  return wrapChunk(bytes, 'VP8L')
}

/** Neither transforms, a cache nor tiles. */
const plain = [[0, 3]] as const
/** A code of the symbol 0, of another one, of two. */
const zero = [[1, 4]] as const
const one = (symbol: number) =>
  [
    [5, 3],
    [symbol, 8],
  ] as const
const two = (first: number, second: number) =>
  [
    [7, 3],
    [first, 8],
    [second, 8],
  ] as const
/** A code whose only symbol is the given one, by lengths: 0 as often as needed, then a 1. */
const lengthsUpTo = (symbol: number) =>
  [
    [0, 1],
    // five lengths of codes of lengths: 17, 18, 0, 1, 2; 0 and 1 have a bit each
    [1, 4],
    [0, 6],
    [1, 3],
    [1, 3],
    [0, 3],
    [1, 1],
    [6, 3],
    [symbol - 1, 14],
    ...Array.from({ length: symbol }, () => [0, 1] as const),
    [1, 1],
  ] as const

describe('of a lossless WebP declined is', () => {
  const twoGreens = [...two(1, 2), ...zero, ...zero, ...zero, ...zero] as const
  it('nothing of a stream of a few bits', async () => {
    await assertEqual(stream(9, 7, ...plain, ...zero, ...zero, ...zero, ...one(255), ...zero), 'one colour')
    await assertEqual(stream(9, 1, ...plain, ...twoGreens, [0b101100111, 9]), 'two greens')
  })

  const repeated: readonly (readonly [number, number])[] = Array.from(
    { length: 17 },
    () =>
      [
        [1, 1],
        [2, 2],
      ] as const,
  ).flat()
  const cases: readonly (readonly [string, Buffer, RegExp, boolean?])[] = [
    ['a transform twice', stream(4, 4, [1, 1], [2, 2], [1, 1], [2, 2], [0, 3]), /transforms/],
    ['transforms without end', stream(4, 4, ...repeated), /transforms/],
    ['a cache of no bits', stream(4, 4, [0, 1], [1, 1], [0, 4]), /transforms and codes/],
    ['a cache of 12 bits', stream(4, 4, [0, 1], [1, 1], [12, 4]), /transforms and codes/],
    ['a code of no symbol', stream(4, 4, ...plain, [0, 1], [0, 4], [0, 12], [0, 64]), /transforms and codes/],
    [
      'a code with too few symbols',
      stream(4, 4, ...plain, [0, 1], [1, 4], [0, 6], [2, 3], [2, 3], [0, 3], [0, 64]),
      /transforms and codes/,
    ],
    [
      'a code with too many symbols',
      stream(4, 4, ...plain, [0, 1], [2, 4], [0, 6], [1, 3], [1, 3], [1, 3], [0, 3], [0, 64]),
      /transforms and codes/,
    ],
    [
      'a distance beyond the alphabet',
      stream(4, 4, ...plain, ...zero, ...zero, ...zero, ...zero, ...one(40)),
      /transforms and codes/,
    ],
    [
      'more lengths than symbols',
      stream(4, 4, ...plain, [0, 1], [1, 4], [0, 6], [1, 3], [1, 3], [0, 3], [1, 1], [6, 3], [300, 14]),
      /transforms and codes/,
    ],
    [
      'a reference before the beginning',
      stream(9, 9, ...plain, ...lengthsUpTo(264), ...zero, ...zero, ...zero, ...zero),
      /references/,
    ],
    [
      'pixels that are copied one after the other without a bit',
      stream(4, 4, ...plain, ...lengthsUpTo(256), ...zero, ...zero, ...zero, ...zero),
      /transforms and codes/,
      true,
    ],
    [
      'codes of many groups that no tile has',
      stream(4, 4, [0, 2], [1, 1], [0, 3], [0, 1], ...one(255), ...one(15), ...zero, ...zero, ...zero),
      /memory/,
      true,
    ],
    ['nothing behind the header', stream(4, 4), /transforms and codes/],
    ['data that ends too early', stream(90, 7, ...plain, ...twoGreens, [0, 32]), /as much data/],
  ]
  for (const [what, file, reason, isOurs = false] of cases) {
    it(`${what}${isOurs ? '' : ', as libwebp refuses it'}`, async () => {
      for (const [, each] of builds) {
        assert.throws(() => each.decode(file), { name: 'DeclinedError', message: reason })
      }
      if (!isOurs) await assert.rejects(bySharp(file))
    })
  }

  it('every beginning of a stream that lacks a bit, as libwebp refuses it', async () => {
    const random = new Random(21)
    for (const spec of [{ groups: 3, cacheBits: 5 }, { transforms: ['colors', 'predictor'] as const }]) {
      const chunk = chunkOf(makeLosslessWebp({ widthPx: 23, heightPx: 19, ...spec }, random))
      for (let bytes = 5; bytes < chunk.length; bytes++) {
        const file = wrapChunk(chunk.subarray(0, bytes), 'VP8L')
        assert.throws(() => decoder.decode(file), DeclinedError, `${bytes} of ${chunk.length} bytes`)
        // libwebp reads on in the padding of an odd chunk
        if (bytes % 2 === 0) await assert.rejects(bySharp(file), `${bytes} of ${chunk.length} bytes`)
      }
    }
  })

  it('a side of 16,384 pixels, as libvips refuses it', async () => {
    for (const [widthPx, heightPx] of [
      [16_384, 1],
      [1, 16_384],
    ] as const) {
      const file = stream(widthPx, heightPx, ...plain, ...zero, ...zero, ...zero, ...zero, ...zero)
      assert.throws(() => decoder.decode(file), DeclinedError)
      await assert.rejects(bySharp(file))
    }
    await assertEqual(stream(16_383, 1, ...plain, ...zero, ...zero, ...zero, ...zero, ...zero), 'one less')
  })

  it('a canvas of another size, and one without the alpha of its picture or with more', () => {
    const extend = (file: Buffer, flags: number, widthPx: number): Buffer => {
      const header = Buffer.alloc(18)
      header.write('VP8X', 'latin1')
      header.writeUInt32LE(10, 4)
      header.writeUInt8(flags, 8)
      header.writeUIntLE(widthPx - 1, 12, 3)
      header.writeUIntLE(18, 15, 3)
      const extended = Buffer.concat([file.subarray(0, 12), header, file.subarray(12)])
      extended.writeUInt32LE(extended.length - 8, 4)
      return extended
    }
    const size = { widthPx: 23, heightPx: 19 }
    const clear = makeLosslessWebp(size, new Random(22))
    const opaque = makeLosslessWebp({ ...size, hasAlpha: false }, new Random(22))
    assert.deepEqual(decoder.decode(extend(clear, 0x10, 23)).data, decoder.decode(clear).data)
    assert.deepEqual(decoder.decode(extend(opaque, 0, 23)).data, decoder.decode(opaque).data)
    for (const file of [extend(clear, 0, 23), extend(opaque, 0x10, 23), extend(clear, 0x10, 24)])
      assert.throws(() => decoder.decode(file), DeclinedError)
  })
})

it('the largest pictures take at most 20 MB beside the file and the result', async () => {
  for (const [width, height] of [
    [16_383, shortSidePx],
    [shortSidePx, 16_383],
  ] as const) {
    const file = await sharp({ create: { width, height, channels: 3, background: '#1a7f9c' } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer()
    for (const size of [null, { widthPx: Math.ceil(width / 3), heightPx: Math.ceil(height / 3) }]) {
      const own = new WebpDecoder(module)
      own.decode(file, size)
      const besideBytes = own.sizeBytes - file.length
      assert.ok(besideBytes > 0 && besideBytes <= 20e6, `${besideBytes} bytes`)
    }
  }
})
