import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Random } from '../../fuzz/random.ts'
import { DeclinedError } from '../../src/decoding/declined.ts'
import { MOST_REDUCTION } from '../../src/decoding/reduction/result-layout.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { reducePicture } from '../reference/reduce-reference.ts'
import { assertPart } from './assert-part.ts'
import { anyAlpha } from './make-lossless-webp.ts'
import { chunkOf, chunksOf, makeWebp, wrapWithAlpha } from './make-webp.ts'
import { assertEqual, builds } from './webp-builds.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** So many random pictures, or a tenth of them. */
const rounds = (full: number): number => (isFull ? full : Math.ceil(full / 10))

const decoder = builds[0][1]

/** A made-up frame whose random coefficients are those of pixels, with made-up alpha. */
function make(widthPx: number, heightPx: number, random: Random): Buffer {
  for (;;) {
    const frame = makeWebp({ widthPx, heightPx, quantizer: 4, level: 30 }, random)
    try {
      decoder.decode(frame)
    } catch (error) {
      if (error instanceof DeclinedError) continue
      throw error
    }
    return wrapWithAlpha(anyAlpha(widthPx, heightPx, random), chunkOf(frame))
  }
}

describe('every byte of a lossy WebP with alpha is the one that libwebp gives, by both builds:', () => {
  it('alpha of every kind, as the encoder writes it', async () => {
    const random = new Random(1)
    for (const kind of ['rough', 'smooth', 'discs', 'clear'] as const) {
      for (const alphaQuality of [100, 60, 0]) {
        for (const [widthPx, heightPx] of [
          [131, 77],
          [1, 9],
          [17, 16],
        ] as const) {
          const data = Uint8Array.from({ length: widthPx * heightPx * 4 }, (_, i) => {
            const [x, y] = [(i >> 2) % widthPx, Math.floor((i >> 2) / widthPx)]
            if (i % 4 < 3) return (x * 3 + y * (i % 4)) & 255
            if (kind === 'rough') return random.below(256)
            if (kind === 'smooth') return (x * 2 + y) & 255
            return kind === 'clear' || (x % 40) ** 2 + (y % 30) ** 2 > 500 ? 0 : 255
          })
          const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
          const file = await picture.webp({ quality: 80, alphaQuality, effort: random.below(7) }).toBuffer()
          await assertEqual(file, `${kind}, ${alphaQuality}, ${widthPx} x ${heightPx}`)
        }
      }
    }
  })

  it('made-up alpha: bytes and streams, with every filter, at sizes of 1 to 40 pixels', async () => {
    const random = new Random(2)
    const kinds = new Set<number>()
    for (let round = 0; round < rounds(400); round++) {
      const file = make(1 + random.below(40), 1 + random.below(40), random)
      kinds.add((chunksOf(file).alpha?.[0] ?? 0) & 15)
      await assertEqual(file, `round ${round}`)
    }
    assert.equal(kinds.size, 8)
  })
})

describe('a reduced lossy WebP with alpha', () => {
  it('equals the plain definition, at every kind of size, by both builds', () => {
    const random = new Random(11)
    let compared = 0
    for (let round = 0; round < rounds(80); round++) {
      const file = make(1 + random.below(120), 1 + random.below(80), random)
      const whole = decoder.decode(file)
      const side = (sidePx: number): number => {
        const least = Math.ceil(sidePx / MOST_REDUCTION)
        return random.below(4) === 0 ? sidePx : least + random.below(sidePx - least + 1)
      }
      const size = { widthPx: side(whole.widthPx), heightPx: side(whole.heightPx) }
      const isWhole = size.widthPx === whole.widthPx && size.heightPx === whole.heightPx
      const expected = isWhole ? whole.data : reducePicture(whole, size.widthPx, size.heightPx, false)
      for (const [build, one] of builds) {
        assert.ok(Buffer.from(expected).equals(one.decode(file, size).data), `round ${round}, ${build}`)
        compared++
      }
    }
    assert.equal(compared, 2 * rounds(80))
  })

  it('has the same pixels in any part of it', () => {
    const random = new Random(12)
    const picture = { widthPx: 173, heightPx: 140 }
    for (let round = 0; round < rounds(90); round++) {
      const file = make(picture.widthPx, picture.heightPx, random)
      const size = round % 3 === 0 ? picture : { widthPx: 8 + random.below(166), heightPx: 8 + random.below(133) }
      assertPart(decoder, file, size, random)
    }
  })
})

describe('of a lossy WebP with alpha declined is', () => {
  const frame = chunkOf(makeWebp({ widthPx: 20, heightPx: 10, quantizer: 4 }, new Random(3)))
  const bytes = Buffer.alloc(201, 0x80)
  const withHead = (head: number): Buffer =>
    wrapWithAlpha(Buffer.concat([Buffer.from([head]), bytes.subarray(1)]), frame)

  it('none of the sound ones', async () => {
    await assertEqual(withHead(0), 'bytes')
    await assertEqual(wrapWithAlpha(Buffer.alloc(300, 0), frame), 'more bytes than pixels')
  })

  it('alpha that is stored, prepared or marked in another way', () => {
    for (const head of [2, 3, 0x20, 0x30, 0x40, 0x80]) assert.throws(() => decoder.decode(withHead(head)), /alpha/)
  })

  it('alpha of too few bytes, and none', () => {
    const short = wrapWithAlpha(Buffer.alloc(200), frame)
    const none = wrapWithAlpha(Buffer.alloc(0), frame)
    for (const file of [short, none]) assert.throws(() => decoder.decode(file), DeclinedError)
  })

  it('alpha that the header does not mention', () => {
    const file = withHead(0)
    file.writeUInt8(0, 20)
    assert.throws(() => decoder.decode(file), DeclinedError)
  })

  it('a stream that lacks a bit, whichever part is wanted', () => {
    const random = new Random(4)
    for (let tries = 0, streams = 0; streams < (isFull ? 5 : 1); tries++) {
      const alpha = anyAlpha(20, 10, random)
      if (((alpha[0] ?? 0) & 3) !== 1) continue
      streams++
      for (let length = 1; length < alpha.length; length++) {
        const file = wrapWithAlpha(alpha.subarray(0, length), frame)
        assert.throws(() => decoder.decode(file), DeclinedError, `try ${tries}, ${length} bytes`)
        const part = { left: 0, top: 0, right: 20, bottom: 1 }
        assert.throws(() => decoder.decode(file, null, part), DeclinedError, `try ${tries}, ${length} bytes`)
      }
    }
  })
})
