import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharpCodec } from '@vitrine/engine/node'
import { DecodedArtworkCache } from './decoded-artwork-cache.ts'

const codec = createSharpCodec()
const widthPx = 240
const heightPx = 160
const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => (i * 7 + (i >> 5)) & 255)
const artwork = await codec.encode({ alpha: 'opaque', widthPx, heightPx, data }, { format: 'jpeg', quality: 90 })

test('templates of nearly the same density share a decoded JPEG, and it has the pixels that each would have decoded', async () => {
  const cache = new DecodedArtworkCache(codec, { maxBytes: 2 ** 24, keptForMs: 60_000 })
  const first = await cache.codec.decodeArtwork(artwork, { minWidthPx: 100, minHeightPx: 70 })
  const near = { minWidthPx: 110, minHeightPx: 75 }
  const second = await cache.codec.decodeArtwork(artwork, near)
  assert.equal(second.data, first.data)
  assert.deepEqual([first.decodedBy, second.decodedBy], ['vitrine', 'memory'])
  assert.deepEqual({ ...second, decodedBy: 'vitrine' }, await codec.decodeArtwork(artwork, near))
  const larger = { minWidthPx: 200, minHeightPx: 75 }
  const third = await cache.codec.decodeArtwork(artwork, larger)
  assert.notEqual(third.data, first.data)
  assert.deepEqual(third, await codec.decodeArtwork(artwork, larger))
})

test('a picture of which only a part was decoded serves frames that show no more, and the first that shows another part gets all of it', async () => {
  const cache = new DecodedArtworkCache(codec, { maxBytes: 2 ** 24, keptForMs: 60_000 })
  const target = { minWidthPx: 200, minHeightPx: 130 }
  const across = { left: 0, top: 0.25, width: 1, height: 0.5 }
  const first = await cache.codec.decodeArtwork(artwork, { ...target, shown: across })
  assert.ok(first.heightPx < heightPx * 0.6)
  const within = await cache.codec.decodeArtwork(artwork, {
    ...target,
    shown: { left: 0.2, top: 0.3, width: 0.6, height: 0.4 },
  })
  assert.equal(within.data, first.data)
  const down = { left: 0.3, top: 0, width: 0.4, height: 1 }
  const second = await cache.codec.decodeArtwork(artwork, { ...target, shown: down })
  assert.deepEqual(second, await codec.decodeArtwork(artwork, target))
  for (const shown of [across, down, null]) {
    const again = await cache.codec.decodeArtwork(artwork, { ...target, shown })
    assert.equal(again.data, second.data)
    assert.equal(again.decodedBy, 'memory')
  }
})
