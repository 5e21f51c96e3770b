import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { createSharpCodec } from '../node/create-sharp-codec.ts'
import { LiveArtwork } from './live-artwork.ts'

const codec = createSharpCodec()

/** Red on the left half; transparent on the right half, with green in its transparent pixels. */
async function halfClear(widthPx: number, heightPx: number): Promise<Uint8Array> {
  const data = Buffer.alloc(widthPx * heightPx * 4)
  for (let i = 0; i < widthPx * heightPx; i++)
    data.set(i % widthPx < widthPx / 2 ? [255, 0, 0, 255] : [0, 255, 0, 0], i * 4)
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .png()
    .toBuffer()
}

test('artwork is drawn from the smallest sufficient size', async () => {
  const artwork = await LiveArtwork.decode(await halfClear(1200, 800), codec)
  assert.deepEqual([artwork.sourceWidthPx, artwork.sourceHeightPx], [1200, 800])
  const small = artwork.find({ minWidthPx: 290, minHeightPx: 190 })
  assert.deepEqual([small.widthPx, small.heightPx], [300, 200])
  assert.deepEqual([small.extent.width, small.extent.height], [300, 200])
  assert.equal(artwork.find({ minWidthPx: 290, minHeightPx: 190 }), small)
  assert.equal(artwork.find({ minWidthPx: 5000, minHeightPx: 5000 }).widthPx, 1200)
  const least = artwork.find({ minWidthPx: 1, minHeightPx: 1 })
  assert.ok(least.widthPx < 150 && least.heightPx >= 32, `${least.widthPx} x ${least.heightPx}`)
})

test('transparent pixels contribute no colour to smaller sizes', async () => {
  const artwork = await LiveArtwork.decode(await halfClear(800, 600), codec)
  const { data, widthPx } = artwork.find({ minWidthPx: 100, minHeightPx: 75 })
  const middle = data.subarray((10 * widthPx + widthPx / 2 - 2) * 4, (10 * widthPx + widthPx / 2 + 2) * 4)
  for (let i = 0; i < middle.length; i += 4)
    assert.ok((middle[i + 3] ?? 0) < 8 || (middle[i + 1] ?? 0) < 8, `green ${middle[i + 1]} at alpha ${middle[i + 3]}`)
})
