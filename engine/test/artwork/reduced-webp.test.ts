import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget } from '../../src/codec.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { animatedWebp, openRgb, rgbOf } from './make-artwork.ts'
import { waves } from './waves.ts'

const WIDTH = 480
const HEIGHT = 320

/** 3.2 times the target: an ordinary density of artwork for print. */
const target: DecodeTarget = { minWidthPx: WIDTH / 3.2, minHeightPx: HEIGHT / 3.2 }

const decode = (file: Uint8Array, wanted: DecodeTarget | null = target): Promise<DecodedArtwork> =>
  decodeWithSharp(inspectArtwork(file), wanted)

/** Red beside clear green, with a border that no pair of pixels ends at. */
function openHalf(): ReturnType<typeof sharp> {
  const data = new Uint8Array(WIDTH * HEIGHT * 4)
  for (let i = 0; i < WIDTH * HEIGHT; i++) data.set(i % WIDTH < 239 ? [255, 0, 0, 255] : [0, 255, 0, 0], i * 4)
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
}

/** Greatest difference of a channel. */
function worst(one: Uint8Array, other: Uint8Array): number {
  assert.equal(one.length, other.length)
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? 0))), 0)
}

describe('A WebP that its decoder reduces', () => {
  it('has the mean of each area, lossless or not, at 1.5 times the size that was asked for', async () => {
    const halves: DecodeTarget = { minWidthPx: 160, minHeightPx: 106 }
    // where it is lossy, chroma has half the samples and is not made smooth first
    for (const [lossless, leastDb] of [
      [true, 52],
      [false, 38],
    ] as const) {
      const file = await waves(WIDTH, HEIGHT).webp({ lossless, quality: 95 }).toBuffer()
      const { data: full } = await decode(file, null)
      const { data, widthPx, heightPx, extent } = await decode(file, halves)
      assert.deepEqual([widthPx, heightPx], [WIDTH / 2, HEIGHT / 2])
      assert.deepEqual(extent, { left: 0, top: 0, width: WIDTH / 2, height: HEIGHT / 2 })
      const means = new Uint8Array(data.length).fill(255)
      for (let y = 0; y < heightPx; y++) {
        for (let x = 0; x < widthPx; x++) {
          for (let c = 0; c < 3; c++) {
            const at = (2 * y * WIDTH + 2 * x) * 4 + c
            const below = at + WIDTH * 4
            const sum = (full[at] ?? 0) + (full[at + 4] ?? 0) + (full[below] ?? 0) + (full[below + 4] ?? 0)
            means[(y * widthPx + x) * 4 + c] = Math.round(sum / 4)
          }
        }
      }
      const squares = data.reduce((sum, value, i) => sum + (value - (means[i] ?? 0)) ** 2, 0)
      const psnr = 10 * Math.log10((255 ** 2 * data.length) / Math.max(1e-9, squares))
      assert.ok(psnr >= leastDb, `${lossless ? 'lossless' : 'lossy'}: ${psnr.toFixed(1)} dB`)
    }
  })

  it('is decoded whole where little is to be reduced, and never enlarged', async () => {
    const file = await waves(WIDTH, HEIGHT).webp().toBuffer()
    for (const ratio of [1, 1.5, 2.3]) {
      const size = { minWidthPx: Math.ceil(WIDTH / ratio), minHeightPx: Math.ceil(HEIGHT / ratio) }
      const { widthPx, heightPx } = await decode(file, size)
      assert.deepEqual([widthPx, heightPx], [size.minWidthPx, size.minHeightPx])
    }
    const { widthPx, heightPx } = await decode(file, { minWidthPx: 900, minHeightPx: 10 })
    assert.deepEqual([widthPx, heightPx], [WIDTH, 10])
  })

  it('has enough pixels of each side where one is reduced more than the other', async () => {
    const file = await waves(WIDTH, HEIGHT).webp().toBuffer()
    for (const [minWidthPx, minHeightPx] of [
      [150, 20],
      [30, 100],
      [151, 99],
      [3, 3],
    ] as const) {
      const { widthPx, heightPx } = await decode(file, { minWidthPx, minHeightPx })
      assert.ok(widthPx >= 1.5 * minWidthPx - 1 && widthPx <= 1.65 * minWidthPx + 1, `${widthPx} of ${minWidthPx}`)
      assert.ok(
        heightPx >= 1.5 * minHeightPx - 1 && heightPx <= 1.65 * minHeightPx + 1,
        `${heightPx} of ${minHeightPx}`,
      )
    }
  })

  it('does not bleed the colour of clear pixels into others where it is lossless', async () => {
    const file = await openHalf().webp({ lossless: true, exact: true }).toBuffer()
    const { data, widthPx, heightPx, isOpaque } = await decode(file)
    assert.deepEqual([widthPx, isOpaque], [225, false])
    let seen = 0
    for (let i = 0; i < data.length; i += 4) {
      const [red = 0, green = 0, , alpha = 0] = data.subarray(i, i + 4)
      if (alpha < 16) continue
      seen++
      assert.ok(red > 240 && green < 16, data.subarray(i, i + 4).join())
    }
    assert.ok(seen >= 0.48 * widthPx * heightPx)
  })

  it('is decoded whole and reduced by its alpha where it is lossy: its decoder does not weigh colours', async () => {
    const file = await openHalf().webp({ quality: 100, alphaQuality: 100, exact: true }).toBuffer()
    const { data: full } = await decode(file, null)
    const { data, widthPx, heightPx } = await decode(file)
    const raw = { width: WIDTH, height: HEIGHT, channels: 4 } as const
    const expected = await sharp(full, { raw })
      .resize({ width: 150, height: 100, fit: 'fill', kernel: 'lanczos3' })
      .raw()
      .toBuffer()
    assert.deepEqual([widthPx, heightPx], [150, 100])
    assert.ok(worst(data, expected) <= 1)
  })

  it('gives of a shown part the pixels of the whole, in all orientations, with alpha and without', async () => {
    const shown = { left: 0.13, top: 0.31, width: 0.4, height: 0.22 }
    for (let orientation = 1; orientation <= 8; orientation++) {
      for (const options of [{ lossless: true }, { quality: 80 }]) {
        for (const open of [waves(WIDTH, HEIGHT), openHalf()]) {
          const file = await open.withMetadata({ orientation }).webp(options).toBuffer()
          const { orientation: found, widthPx: seenWidth, heightPx: seenHeight } = inspectArtwork(file)
          assert.equal(found, orientation)
          const wanted = { minWidthPx: Math.ceil(seenWidth / 3), minHeightPx: Math.ceil(seenHeight / 3) }
          const whole = await decode(file, wanted)
          const part = await decode(file, { ...wanted, shown })
          const [left, top] = [0 - part.extent.left, 0 - part.extent.top]
          assert.deepEqual(part.extent, { ...whole.extent, left: 0 - left, top: 0 - top })
          assert.ok(left <= shown.left * whole.widthPx && top <= shown.top * whole.heightPx)
          assert.ok(left + part.widthPx >= (shown.left + shown.width) * whole.widthPx)
          assert.ok(top + part.heightPx >= (shown.top + shown.height) * whole.heightPx)
          assert.ok(part.widthPx * part.heightPx < 0.15 * whole.widthPx * whole.heightPx)
          for (let y = 0; y < part.heightPx; y++) {
            const from = ((top + y) * whole.widthPx + left) * 4
            const expected = whole.data.subarray(from, from + part.widthPx * 4)
            const row = part.data.subarray(y * part.widthPx * 4, (y + 1) * part.widthPx * 4)
            assert.ok(Buffer.from(row).equals(expected), `orientation ${orientation}, row ${y}`)
          }
        }
      }
    }
  })

  it('is converted by its profile as the whole picture is', async () => {
    const flat = openRgb(
      rgbOf(WIDTH, HEIGHT, () => [40, 200, 90]),
      WIDTH,
      HEIGHT,
    )
    const file = await flat.withIccProfile('p3').webp({ lossless: true }).toBuffer()
    const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer()
    assert.ok(Math.abs((stored[0] ?? 0) - 40) > 20)
    const { data, widthPx } = await decode(file)
    assert.equal(widthPx, 225)
    for (let i = 0; i < data.length; i += 4)
      assert.ok(worst(data.subarray(i, i + 4), Uint8Array.of(40, 200, 90, 255)) <= 2)
  })

  it('is refused where it is cut short or its data is damaged, as the whole picture is', async () => {
    for (const lossless of [true, false]) {
      const file = await waves(WIDTH, HEIGHT).webp({ lossless }).toBuffer()
      const facts = inspectArtwork(file)
      const short = facts.bytesToDecode.subarray(0, facts.bytesToDecode.length * 0.6)
      for (const wanted of [null, target]) {
        await assert.rejects(decodeWithSharp({ ...facts, bytesToDecode: short }, wanted), { name: 'ArtworkError' })
      }
    }
  })

  it('of an animation is the first frame, as a still picture', async () => {
    const { widthPx, heightPx, data } = await decode(await animatedWebp(), { minWidthPx: 5, minHeightPx: 4 })
    assert.deepEqual([widthPx, heightPx, ...data.subarray(0, 4)], [8, 6, 255, 0, 0, 255])
  })
})

describe('A WebP whose writer forgot the padding of its last chunk', () => {
  for (const [kind, alpha] of [
    ['simple', 1],
    ['extended', 0.5],
  ] as const)
    it(`has the pixels of the whole file (${kind})`, async () => {
      const file = await oddFile(alpha)
      assert.equal(file.toString('latin1', 12, 16), kind === 'simple' ? 'VP8 ' : 'VP8X')
      const cut = Buffer.from(file.subarray(0, -1))
      cut.writeUInt32LE(cut.length - 8, 4)
      const { data } = await decode(cut, null)
      assert.equal(worst(data, (await decode(file, null)).data), 0)
    })
})

/** libwebp fills a picture's data up to an even size itself: where it did, that byte can be the padding. */
async function oddFile(alpha: number): Promise<Buffer> {
  for (let quality = 50; quality < 90; quality++) {
    const file = await waves(60, 40).ensureAlpha(alpha).webp({ quality }).toBuffer()
    const last = file.indexOf('VP8 ', 12, 'latin1')
    if (file.at(-1) !== 0) continue
    file.writeUInt32LE(file.readUInt32LE(last + 4) - 1, last + 4)
    return file
  }
  throw new Error('Expected a quality whose picture is filled up.')
}
