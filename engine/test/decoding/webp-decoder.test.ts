import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { WebpOptions } from 'sharp'
import { Random } from '../../fuzz/random.ts'
import { kernelFile } from '../../kernels/build.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { MOST_REDUCTION } from '../../src/decoding/reduction/result-layout.ts'
import { WebpDecoder } from '../../src/decoding/webp/webp-decoder.ts'
import { reducesPlanes } from '../../src/decoding/webp/webp-layout.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { reducePicture, reducePlanes } from '../reference/reduce-reference.ts'
import { assertPart } from './assert-part.ts'
import { anyWebp, chunkOf, makeWebp, type WebpSpec, wrapChunk } from './make-webp.ts'
import { assertEqual, builds } from './webp-builds.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** So many random pictures, or a tenth of them. */
const rounds = (full: number): number => (isFull ? full : Math.ceil(full / 10))

const decoder = builds[0][1]
const planesDecoder = new WebpDecoder(new WebAssembly.Module(readFileSync(kernelFile('webp-planes'))))

/** Flat, smooth and rough parts, in all colours. */
function draw(widthPx: number, heightPx: number, random: Random): ReturnType<typeof sharp> {
  const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % widthPx, Math.floor(i / 3 / widthPx)]
    const kind = ((x >> 4) + (y >> 3)) % 3
    if (kind === 0) return i % 3 === (y >> 4) % 3 ? 250 : 5
    return kind === 1 ? (x * 5 + y * 3 * (i % 3)) & 255 : random.below(256)
  })
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

/** False where the random coefficients are none of pixels: such a frame is declined. */
async function isEqual(file: Buffer, name: string): Promise<boolean> {
  try {
    await assertEqual(file, name)
    return true
  } catch (error) {
    if (error instanceof DeclinedError && error.message.includes('coefficients of pixels')) return false
    throw error
  }
}

describe('every byte is the one that libwebp gives, by both builds:', () => {
  it('sizes of 1 to 40 pixels, and sides at the ends of macroblocks', async () => {
    const random = new Random(1)
    for (let widthPx = 1; widthPx <= 40; widthPx += isFull ? 1 : 13) {
      for (const heightPx of [1, 2, 7, 15, 16, 17, 18, 31, 32, 33, 40]) {
        const options = { quality: random.pick([5, 40, 75, 90, 100]), effort: random.below(5) }
        const file = await draw(widthPx, heightPx, random).webp(options).toBuffer()
        await assertEqual(file, `${widthPx} x ${heightPx}, ${JSON.stringify(options)}`)
        await assertEqual(await draw(heightPx, widthPx, random).webp(options).toBuffer(), `${heightPx} x ${widthPx}`)
      }
    }
  })

  it('all qualities, efforts and presets of the encoder', async () => {
    const random = new Random(2)
    const options: WebpOptions[] = []
    for (let quality = 1; quality <= 100; quality += isFull ? 3 : 33) options.push({ quality, effort: quality % 7 })
    for (let effort = 0; effort <= 6; effort++) options.push({ effort, smartSubsample: true, smartDeblock: true })
    for (const preset of ['default', 'photo', 'picture', 'drawing', 'icon', 'text'] as const)
      options.push({ preset, quality: 30 }, { preset, quality: 85 })
    for (const option of options)
      await assertEqual(await draw(173, 131, random).webp(option).toBuffer(), JSON.stringify(option))
  })

  it('sides as long as they may be', async () => {
    const random = new Random(3)
    for (const [widthPx, heightPx] of [
      [16_383, 1],
      [1, 16_383],
      [16_383, isFull ? 33 : 3],
      [isFull ? 33 : 3, 16_383],
    ] as const)
      await assertEqual(await draw(widthPx, heightPx, random).webp().toBuffer(), `${widthPx} x ${heightPx}`)
  })

  const head = { widthPx: 83, heightPx: 61, quantizer: 6 } as const
  const made: Readonly<Record<string, readonly Partial<WebpSpec>[]>> = {
    'both filters of every strength and sharpness': [false, true].flatMap(isSimple =>
      [1, 2, 7, 14, 15, 16, 31, 39, 40, 41, 62, 63].flatMap((level, i) =>
        [0, 1, 3, 4, 5, 7].filter((_, j) => isFull || i % 6 === j).map(sharpness => ({ isSimple, level, sharpness })),
      ),
    ),
    'strengths that differ by the mode of the macroblock': [
      [63, 63],
      [-63, 5],
      [0, -20],
      [9, 0],
    ].map(([frame = 0, block = 0]) => ({ level: 25, deltas: [frame, block] as const })),
    'segments, absolute and relative, with a map and without': [true, false].flatMap(isAbsolute =>
      ([null, [255, 255, 255], [100, 30, 220]] as const).map(map => ({
        level: 20,
        segments: {
          map,
          isAbsolute,
          quantizers: isAbsolute ? ([2, 10, 0, 5] as const) : ([-6, 4, 0, -127] as const),
          levels: isAbsolute ? ([0, 63, 15, 40] as const) : ([-63, 63, 0, -10] as const),
        },
      })),
    ),
    'one, two, four and eight partitions of tokens': [0, 1, 2, 3].map(partitions => ({ partitions })),
    'steps that differ by the kind of the coefficient': [-15, -3, 4, 15].flatMap(difference =>
      [0, 1, 2, 3, 4].map(of => ({ differences: [0, 1, 2, 3, 4].map(i => (i === of ? difference : 0)) })),
    ),
    'macroblocks that are skipped, few or many': [0, 1, 20, 128, 255].map(skip => ({ skip, level: 30 })),
    'probabilities of their own': [0.01, 0.1, 0.5, 1].map(newProbabilities => ({ newProbabilities })),
    'every version of the bit stream': [0, 1, 2, 3].map(version => ({ version, level: 20 })),
  }
  for (const [what, specs] of Object.entries(made)) {
    it(`made-up frames: ${what}`, async () => {
      const random = new Random(4)
      for (const spec of specs) {
        let equal = 0
        for (let attempt = 0; attempt < 4; attempt++)
          equal += Number(await isEqual(makeWebp({ ...head, ...spec }, random), JSON.stringify(spec)))
        assert.ok(equal > 0, JSON.stringify(spec))
      }
    })
  }

  it('made-up frames with everything at once, of which few are declined for their coefficients', async () => {
    const random = new Random(5)
    let equal = 0
    for (let round = 0; round < rounds(400); round++) equal += Number(await isEqual(anyWebp(random), `round ${round}`))
    assert.ok(equal > rounds(200), `${equal}`)
  })
})

describe('a reduced WebP', () => {
  it('equals the plain definition, at every kind of size, by both builds', () => {
    const random = new Random(11)
    let compared = 0
    let ofPlanes = 0
    for (let round = 0; round < rounds(240); round++) {
      const spec = { widthPx: 1 + random.below(150), heightPx: 1 + random.below(90), level: random.below(64) }
      const file = makeWebp({ ...spec, quantizer: 4 }, random)
      const whole = decoder.decode(file)
      const side = (sidePx: number): number => {
        const least = Math.ceil(sidePx / MOST_REDUCTION)
        const most = round % 2 === 0 ? sidePx : Math.max(least, sidePx >> 1)
        return random.below(4) === 0 ? most : least + random.below(most - least + 1)
      }
      const size = { widthPx: side(spec.widthPx), heightPx: side(spec.heightPx) }
      const isWhole = size.widthPx === spec.widthPx && size.heightPx === spec.heightPx
      const { widthPx, heightPx } = size
      const isOfPlanes = reducesPlanes({ ...spec, isLossless: false, hasAlpha: false }, size)
      if (isOfPlanes) ofPlanes++
      const expected = isWhole
        ? whole.data
        : isOfPlanes
          ? reducePlanes(planesDecoder.decode(file), widthPx, heightPx)
          : reducePicture(whole, widthPx, heightPx, true)
      for (const [build, one] of builds) {
        const reduced = one.decode(file, size)
        assert.deepEqual([reduced.widthPx, reduced.heightPx], [widthPx, heightPx])
        assert.ok(Buffer.from(expected).equals(reduced.data), `${JSON.stringify([spec, size])}, ${build}`)
        compared++
      }
    }
    assert.equal(compared, 2 * rounds(240))
    assert.ok(ofPlanes > rounds(100) && ofPlanes < rounds(200), `${ofPlanes}`)
  })

  it('has the same pixels in any part of it', () => {
    const random = new Random(12)
    const picture = { widthPx: 173, heightPx: 140 }
    const file = makeWebp({ ...picture, quantizer: 4, level: 40 }, random)
    for (let round = 0; round < rounds(150); round++) {
      const size = round % 3 === 0 ? picture : { widthPx: 8 + random.below(166), heightPx: 8 + random.below(133) }
      assertPart(decoder, file, size, random)
    }
  })

  it('below a 32nd is for the general decoder', () => {
    const file = makeWebp({ widthPx: 97, heightPx: 20 }, new Random(1))
    assert.equal(decoder.decode(file, { widthPx: 4, heightPx: 20 }).widthPx, 4)
    assert.throws(() => decoder.decode(file, { widthPx: 3, heightPx: 20 }), /stronger reduction/)
  })
})

describe('declined is', () => {
  const sound = makeWebp({ widthPx: 60, heightPx: 40, partitions: 1 }, new Random(7))
  const chunk = chunkOf(sound)
  const firstBytes = chunk.readUIntLE(0, 3) >> 5
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(chunk)
    copy[at] = value
    return wrapChunk(copy)
  }
  const withSize = (bytes: number): Buffer => {
    const copy = Buffer.from(chunk)
    copy.writeUIntLE(bytes * 32 + (copy.readUIntLE(0, 3) & 31), 0, 3)
    return wrapChunk(copy)
  }
  const riffBytes = (bytes: number): Buffer => {
    const copy = Buffer.from(sound)
    copy.writeUInt32LE(bytes, 4)
    return copy
  }
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['a frame that is not shown', changed(0, (chunk[0] ?? 0) & ~16), /key frame/],
    ['a frame between key frames', changed(0, (chunk[0] ?? 0) | 1), /key frame/],
    ['a version beyond 3', changed(0, (chunk[0] ?? 0) | 8), /key frame/],
    ['a wrong start code', changed(3, 0), /start code/],
    ['a side of 0', changed(6, 0), /size/],
    ['a first partition beyond the file', withSize(chunk.length), /key frame/],
    ['a first partition that ends before the modes', withSize(400), /data|key frame|coefficients/],
    ['a first partition of nothing', withSize(0), /key frame/],
    ['a second partition beyond the file', changed(10 + firstBytes + 2, 255), /key frame/],
    ['an empty partition', wrapChunk(chunk.subarray(0, 10 + firstBytes + 3)), /key frame/],
    ['nothing behind the first partition', wrapChunk(chunk.subarray(0, 10 + firstBytes)), /key frame/],
    ['nothing but a header', wrapChunk(chunk.subarray(0, 10)), /key frame/],
    ['data that breaks off', wrapChunk(chunk.subarray(0, 10 + firstBytes + 3 + 200)), /key frame|data/],
    ['bytes behind the picture', Buffer.concat([riffBytes(sound.length), Buffer.alloc(8)]), /nothing behind/],
    ['a file of another size than it says', riffBytes(sound.length), /size of the file/],
  ]
  for (const [what, file, reason] of cases) {
    it(what, () => {
      for (const [, one] of builds) {
        assert.throws(() => one.decode(file), { name: 'DeclinedError', message: reason })
        assert.equal(one.decode(sound).widthPx, 60)
      }
    })
  }

  it('every beginning of a file, whatever is missing', () => {
    for (let bytes = 0; bytes < sound.length; bytes += bytes < 400 ? 1 : 97)
      assert.throws(() => decoder.decode(sound.subarray(0, bytes)), DeclinedError, `${bytes} bytes`)
  })

  it('a canvas of another size, alpha, animation and what an extended header cannot have', () => {
    const extended = (flags: number, widthPx: number, heightPx: number): Buffer => {
      const header = Buffer.alloc(18)
      header.write('VP8X', 'latin1')
      header.writeUInt32LE(10, 4)
      header.writeUInt8(flags, 8)
      header.writeUIntLE(widthPx - 1, 12, 3)
      header.writeUIntLE(heightPx - 1, 15, 3)
      const file = Buffer.concat([sound.subarray(0, 12), header, sound.subarray(12)])
      file.writeUInt32LE(file.length - 8, 4)
      return file
    }
    assert.deepEqual(decoder.decode(extended(0, 60, 40)).data, decoder.decode(sound).data)
    assert.deepEqual(decoder.decode(extended(0x20, 60, 40)).data, decoder.decode(sound).data)
    for (const [flags, widthPx, heightPx] of [
      [0, 61, 40],
      [0, 60, 39],
      [0x02, 60, 40],
      [0x04, 60, 40],
      [0x08, 60, 40],
      [0x10, 60, 40],
      [0x80, 60, 40],
    ] as const)
      assert.throws(() => decoder.decode(extended(flags, widthPx, heightPx)), DeclinedError)
  })
})
