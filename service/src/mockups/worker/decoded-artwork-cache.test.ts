import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DecodeTarget, ReusedMemory } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { DecodedArtworkCache } from './decoded-artwork-cache.ts'

const codec = createSharpCodec()
const memory = new ReusedMemory({ maxBytes: 2 ** 24, maxCount: 4 })
const WIDTH_PX = 240
const HEIGHT_PX = 160
const data = Uint8Array.from({ length: WIDTH_PX * HEIGHT_PX * 3 }, (_, i) => (i * 7 + (i >> 5)) & 255)
const artwork = await codec.encode(
  { alpha: 'opaque', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, data },
  { format: 'jpeg', quality: 90 },
)

/** A cache to which all these artworks are known as one account's. */
function openCache(
  artworks: readonly Uint8Array[],
  bounds = { maxBytes: 2 ** 24, cachedForMs: 60_000 },
  reused = memory,
) {
  const inner = reused === memory ? codec : createSharpCodec({ memory: reused })
  const cache = new DecodedArtworkCache(inner, bounds, reused)
  for (const bytes of artworks) cache.name(bytes, { accountId: 'acc_a', contentName: null })
  return cache
}

test('templates of nearly the same density share a decoded JPEG with the same pixels that each would have decoded', async () => {
  const cache = openCache([artwork])
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

test('a partly decoded picture serves frames that show no more of it, and others replace it with the whole', async () => {
  const cache = openCache([artwork])
  const target = { minWidthPx: 200, minHeightPx: 130 }
  const across = { left: 0, top: 0.25, width: 1, height: 0.5 }
  const first = await cache.codec.decodeArtwork(artwork, { ...target, shown: across })
  assert.ok(first.heightPx < HEIGHT_PX * 0.6)
  const inside = { ...target, shown: { left: 0.2, top: 0.3, width: 0.6, height: 0.4 } }
  assert.equal(cache.hasOtherPart(artwork, inside), false)
  assert.equal((await cache.codec.decodeArtwork(artwork, inside)).data, first.data)
  const down = { left: 0.3, top: 0, width: 0.4, height: 1 }
  assert.equal(cache.hasOtherPart(artwork, { ...target, shown: down }), true)
  assert.equal(cache.hasOtherPart(artwork, { minWidthPx: 20, minHeightPx: 20, shown: down }), false)
  const second = await cache.codec.decodeArtwork(artwork, { ...target, shown: null })
  assert.deepEqual(second, await codec.decodeArtwork(artwork, target))
  for (const shown of [across, down, null]) {
    const again = await cache.codec.decodeArtwork(artwork, { ...target, shown })
    assert.equal(again.data, second.data)
    assert.equal(again.decodedBy, 'memory')
  }
})

/** Large enough for its memory to be reused. */
async function makeArtwork(seed: number): Promise<Uint8Array> {
  const [width, height] = [640, 480]
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * seed + (i >> 7)) & 255)
  const picture = { alpha: 'opaque', widthPx: width, heightPx: height, data: pixels } as const
  return codec.encode(picture, { format: 'jpeg', quality: 80 })
}

/** Room for two of them. */
const boundsOfTwo = { maxBytes: 2.5 * 640 * 480 * 4, cachedForMs: 60_000 }
const whole: DecodeTarget = { minWidthPx: 640, minHeightPx: 480 }

test('artwork evicted during a job retains its pixels until the job ends; then its memory is reused', async () => {
  const reused = new ReusedMemory({ maxBytes: 2 ** 24, maxCount: 4 })
  const files = [await makeArtwork(3), await makeArtwork(5), await makeArtwork(11)]
  const cache = openCache(files, boundsOfTwo, reused)
  const expected = await Promise.all(files.map(file => codec.decodeArtwork(file, whole)))
  const first = await cache.during(async () => {
    const artworks = []
    for (const file of files) artworks.push(await cache.codec.decodeArtwork(file, whole))
    // A sweep may run at any time.
    cache.sweep()
    assert.deepEqual(artworks, expected)
    assert.equal(reused.idleBytes, 0)
    return artworks
  })
  const [one, two, three] = first
  assert.equal(one?.data.length, 0)
  assert.deepEqual([two, three], expected.slice(1))
  const idleBytes = reused.idleBytes
  assert.ok(idleBytes >= 640 * 480 * 4)
  await cache.during(async () => {
    const again = await cache.codec.decodeArtwork(files[0] ?? new Uint8Array(), whole)
    assert.ok(again !== one && reused.idleBytes < idleBytes)
    assert.deepEqual(again, expected[0])
    assert.deepEqual(three, expected[2])
  })
})

test('the memory of a failed job’s artwork, or of artwork too large to cache, is reused, but not that of cached artwork', async () => {
  const reused = new ReusedMemory({ maxBytes: 2 ** 24, maxCount: 4 })
  const file = await makeArtwork(7)
  const forgetful = openCache([file], { maxBytes: 1000, cachedForMs: 1 }, reused)
  const failing = forgetful.during(async () => {
    await forgetful.codec.decodeArtwork(file, whole)
    throw new Error('the template is broken')
  })
  await assert.rejects(failing, /the template is broken/)
  const idleBytes = reused.idleBytes
  assert.ok(idleBytes >= 640 * 480 * 4)
  const cache = openCache([file], boundsOfTwo, reused)
  const kept = await cache.during(() => cache.codec.decodeArtwork(file, whole))
  assert.equal(reused.idleBytes, 0)
  const again = await cache.during(() => cache.codec.decodeArtwork(file, whole))
  assert.equal(again.data, kept.data)
  assert.deepEqual({ ...again, decodedBy: 'vitrine' }, await codec.decodeArtwork(file, whole))
})

test('artwork with a content name is cached by that name', async () => {
  const [one, same, other] = [artwork.slice(), artwork.slice(), artwork.slice()]
  const cache = openCache([])
  cache.name(one, { accountId: 'acc_a', contentName: 'aa' })
  cache.name(same, { accountId: 'acc_a', contentName: 'aa' })
  cache.name(other, { accountId: 'acc_a', contentName: 'bb' })
  const by = []
  for (const bytes of [one, same, other]) by.push((await cache.codec.decodeArtwork(bytes, null)).decodedBy)
  assert.deepEqual(by, ['vitrine', 'memory', 'vitrine'])
})

test('artwork of one account is decoded again for another, and artwork without an account is not decoded', async () => {
  const cache = openCache([])
  for (const contentName of [null, 'aa']) {
    const by = []
    for (const accountId of ['acc_a', 'acc_b', 'acc_a', 'acc_b']) {
      const bytes = artwork.slice()
      cache.name(bytes, { accountId, contentName })
      // Sizes so close that our decoder would decode to the same pixels.
      for (const minWidthPx of [100, 110])
        by.push((await cache.codec.decodeArtwork(bytes, { minWidthPx, minHeightPx: 70 })).decodedBy)
    }
    const again = ['memory', 'memory']
    assert.deepEqual(by, ['vitrine', 'memory', 'vitrine', 'memory', ...again, ...again], String(contentName))
  }
  await assert.rejects(cache.codec.decodeArtwork(artwork.slice(), null), /before it is named/)
})
