import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharpCodec, deflateParts } from '@vitrine/engine/node'
import { encodePng } from './encode-png.ts'

const codec = createSharpCodec()
const kinds = { 1: 'coverage', 3: 'rgb', 4: 'rgba' } as const

test('pictures of many sizes are decoded as written, compressed at once and in parts', async () => {
  for (let i = 0; i < 90; i++) {
    const [widthPx, heightPx] = [1 + ((i * 37) % 211), 1 + ((i * 53) % 163)]
    const channels = ([1, 3, 4] as const)[i % 3] ?? 1
    // Noise in one half, smooth in the other.
    const samples = Uint8Array.from({ length: widthPx * heightPx * channels }, (_, k) =>
      i % 2 ? (k * k) >> 3 : k / 97,
    )
    for (const deflate of [undefined, deflateParts]) {
      const png = await encodePng({ widthPx, heightPx, channels, samples }, deflate)
      const { data } = await codec.decodeLayer(png, kinds[channels])
      assert.deepEqual(Buffer.from(data), Buffer.from(samples), `${widthPx} x ${heightPx}, ${channels} channels`)
    }
  }
})

test('16-bit samples in several parts are decoded as written', async () => {
  const [widthPx, heightPx] = [900, 700]
  const samples = Uint16Array.from({ length: widthPx * heightPx * 3 }, (_, k) => Math.imul(k, 0x9e3779b1) >>> 16)
  const png = await encodePng({ widthPx, heightPx, channels: 3, samples }, deflateParts)
  assert.deepEqual((await codec.decodeLayer(png, 'rgb16')).data, samples)
})
