import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { ImageCodec } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { TemplateCache } from '../../src/mockups/worker/template-cache.ts'
import type { TemplateBundle } from '../../src/templates/template-bundle.ts'
import { floorArea, writeBundle } from './test-bundle.ts'

const codec = createSharpCodec()
const folder = await mkdtemp(path.join(tmpdir(), 'template-cache-'))
after(() => rm(folder, { recursive: true, force: true }))

const WIDTH_PX = 200

const [a, b, c] = await Promise.all(
  ['aa', 'bb', 'cc'].map(
    async (id): Promise<TemplateBundle> => ({ key: `${id}@1`, folder: await writeBundle(folder, id) }),
  ),
)
assert.ok(a && b && c)

/** What the cache frees before it prepares a template of the width: about the size of one of these. */
const ROOM_BYTES = 6 * WIDTH_PX * WIDTH_PX

/** The size of one of the templates at the width; all three are equal. */
const { sizeBytes } = (await new TemplateCache(codec, 0).get(a, WIDTH_PX)).prepared

test('a template is prepared once for each width, and the most recently used is evicted last', async () => {
  const cache = new TemplateCache(codec, 100 * sizeBytes)
  const { prepared: first, from } = await cache.get(a, WIDTH_PX)
  await cache.get(b, WIDTH_PX)
  await cache.get(a, WIDTH_PX / 2)
  const again = await cache.get(a, WIDTH_PX)
  assert.equal(again.prepared, first)
  assert.deepEqual([from, again.from], ['bundle', 'memory'])
  assert.deepEqual(cache.keys, ['bb@1/200', 'aa@1/100', 'aa@1/200'])
})

test('the total size of templates stays within the limit, and the least recently used are evicted first', async () => {
  // Room for two, and for a third while it is being prepared.
  const cache = new TemplateCache(codec, sizeBytes + Math.max(ROOM_BYTES, sizeBytes))
  await cache.get(a, WIDTH_PX)
  await cache.get(b, WIDTH_PX)
  await cache.get(a, WIDTH_PX)
  await cache.get(c, WIDTH_PX)
  assert.deepEqual(cache.keys, ['aa@1/200', 'cc@1/200'])
  // An evicted template is prepared again, and the size of evicted ones was subtracted: still two.
  await cache.get(b, WIDTH_PX)
  assert.deepEqual(cache.keys, ['cc@1/200', 'bb@1/200'])
})

test('memory is freed before a template is prepared, not after', async () => {
  const keysAtDecoding: string[][] = []
  const watched: ImageCodec = {
    ...codec,
    decodeLayer: (bytes, kind) => {
      keysAtDecoding.push(cache.keys)
      return codec.decodeLayer(bytes, kind)
    },
  }
  const cache = new TemplateCache(watched, ROOM_BYTES)
  await cache.get(a, WIDTH_PX)
  await cache.get(b, WIDTH_PX)
  assert.deepEqual(keysAtDecoding, [[], []])
  assert.deepEqual(cache.keys, ['bb@1/200'])
})

test('a template that exceeds the limit by itself is cached until the next one is prepared', async () => {
  const cache = new TemplateCache(codec, 1)
  const { prepared } = await cache.get(a, WIDTH_PX)
  assert.equal((await cache.get(a, WIDTH_PX)).prepared, prepared)
  await cache.get(b, WIDTH_PX)
  assert.deepEqual(cache.keys, ['bb@1/200'])
})

test('a template that cannot be prepared is named, takes no space and does not affect the others', async () => {
  const cache = new TemplateCache(codec, 100 * sizeBytes)
  const missing = { key: 'missing@1', folder: path.join(folder, 'missing') }
  await cache.get(a, WIDTH_PX)
  await assert.rejects(cache.get(missing, WIDTH_PX), /The template missing@1 can't be prepared: /)
  assert.deepEqual(cache.keys, ['aa@1/200'])
})

const colored = { key: 'dd@1', folder: await writeBundle(folder, 'dd', 1, [floorArea]) }
/** The template prepared for a colour. */
const coloredBy = async (cache: TemplateCache, color: string, accountId = 'a') => {
  const colors = { accountId, colors: [['floor', color]] as const }
  return (await cache.get(colored, WIDTH_PX, { colors })).prepared
}

test('a template in another colour is made once and shares the geometry; with its default colour it is the template itself', async () => {
  const cache = new TemplateCache(codec, 100 * sizeBytes)
  const { prepared: plain } = await cache.get(colored, WIDTH_PX)
  assert.equal(await coloredBy(cache, '#787878'), plain)
  const navy = await coloredBy(cache, '#1f2a44')
  assert.equal(await coloredBy(cache, '#1f2a44', 'b'), navy)
  assert.equal(navy.frames[0]?.plan, plain.frames[0]?.plan)
  assert.notDeepEqual(navy.empty.data, plain.empty.data)
  assert.ok(navy.sizeBytes < plain.sizeBytes)
})

test('thousands of colours of one account do not evict the templates of others', async () => {
  const cache = new TemplateCache(codec, 12 * sizeBytes)
  const others = await Promise.all([a, b, c].map(async bundle => (await cache.get(bundle, WIDTH_PX)).prepared))
  for (let i = 0; i < 60; i++) await coloredBy(cache, `#${(0x303030 + i).toString(16)}`)
  for (const [index, bundle] of [a, b, c].entries()) {
    assert.equal((await cache.get(bundle, WIDTH_PX)).prepared, others[index])
  }
})

test('evicting a template evicts its variants', async () => {
  const cache = new TemplateCache(codec, ROOM_BYTES)
  const navy = await coloredBy(cache, '#1f2a44')
  await cache.get(a, WIDTH_PX)
  assert.deepEqual(cache.keys, ['aa@1/200'])
  assert.notEqual(await coloredBy(cache, '#1f2a44'), navy)
})
