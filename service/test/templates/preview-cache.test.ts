import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { inspectArtwork } from '@vitrine/engine'
import { ImportsBusyError } from '../../src/templates/import-queue.ts'
import { BundleInspectionFailedError, reduceBundle } from '../../src/templates/inspect-bundle.ts'
import { PREVIEW_CACHE_BYTES, PREVIEW_WIDTH_PX } from '../../src/templates/limits.ts'
import { PreviewCache } from '../../src/templates/preview-cache.ts'
import { plainPicture, writeBundle } from '../mockups/test-bundle.ts'
import { workHere } from './inspect-once.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-previews-'))
after(() => rm(folder, { recursive: true, force: true }))
const bundle = await writeBundle(path.join(folder, 'bundles'), 'wide')

let rootCount = 0
function openCache(maxBytes?: number): { cache: PreviewCache; root: string } {
  const root = path.join(folder, `root-${++rootCount}`)
  return { cache: new PreviewCache(root, maxBytes), root }
}
const reduceFrom =
  (from: string, reduce = workHere.reduce) =>
  (toFolder: string) =>
    reduce({ from, toFolder, widthPx: PREVIEW_WIDTH_PX })
const ask = (key: string, accountId = 'acc_a', beforeMaking = async () => undefined) => ({
  accountId,
  key,
  make: reduceFrom(bundle),
  beforeMaking,
})

test('an account’s permission is checked once per preview that is made, and not for a cached one', async () => {
  const { cache } = openCache()
  let askedCount = 0
  const mayMake = async () => void (askedCount += 1)
  await Promise.all([1, 2, 3].map(() => cache.folderOf({ ...ask('wide@1'), beforeMaking: mayMake })))
  await cache.folderOf({ ...ask('wide@1'), beforeMaking: mayMake })
  assert.equal(askedCount, 1)
  const refuse = async () => assert.fail('no more')
  const refused = cache.folderOf({ ...ask('other@1'), beforeMaking: refuse })
  const other = cache.folderOf({ ...ask('other@1', 'acc_b'), beforeMaking: mayMake })
  await assert.rejects(refused, /no more/)
  await other
  assert.equal(askedCount, 2)
})

test('a preview is made once for all concurrent requests, and is available to the next service', async () => {
  const { cache, root } = openCache()
  const places = await Promise.all(
    ['acc_a', 'acc_b', 'acc_a'].map(accountId => cache.folderOf(ask('wide@1', accountId))),
  )
  assert.deepEqual(new Set(places), new Set([path.join(root, 'wide@1')]))
  const [place = ''] = places
  assert.deepEqual((await readdir(place)).sort(), ['scene.webp', 'template.json'])
  assert.deepEqual(await readdir(root), ['wide@1'], 'no draft is left')
  assert.equal((await stat(root)).mode & 0o777, 0o700)
  const { ino } = await stat(place)
  assert.equal((await stat(await new PreviewCache(root).folderOf(ask('wide@1')))).ino, ino)
})

test('a scene at the limit stays unchanged, a wider one is reduced to it', async () => {
  for (const [widthPx, wanted] of [
    [PREVIEW_WIDTH_PX, PREVIEW_WIDTH_PX],
    [PREVIEW_WIDTH_PX + 1, PREVIEW_WIDTH_PX],
  ] as const) {
    const from = await writeBundle(path.join(folder, 'bundles'), `scene-${widthPx}`)
    await writeFile(path.join(from, 'scene.png'), await plainPicture(widthPx, 500, [1, 2, 3]))
    const { cache } = openCache()
    const place = await cache.folderOf({ ...ask(`${widthPx}@1`), make: reduceFrom(from) })
    assert.equal(inspectArtwork(await readFile(path.join(place, 'scene.webp'))).widthPx, wanted)
  }
})

test('beyond the limit the least recently used preview is evicted, and made again when requested', async () => {
  const measured = openCache()
  const place = await measured.cache.folderOf(ask('one@1'))
  const sizes = await Promise.all((await readdir(place)).map(async name => (await stat(path.join(place, name))).size))
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(sizeBytes < PREVIEW_CACHE_BYTES)
  const atBound = openCache(3 * sizeBytes)
  const pastBound = openCache(3 * sizeBytes - 1)
  for (const { cache, root } of [atBound, pastBound]) {
    for (const key of ['one@1', 'two@1', 'one@1', 'three@1']) await cache.folderOf(ask(key))
    const kept = root === atBound.root ? ['one@1', 'three@1', 'two@1'] : ['one@1', 'three@1']
    assert.deepEqual((await readdir(root)).sort(), kept)
  }
  await pastBound.cache.folderOf(ask('two@1'))
  assert.deepEqual((await readdir(pastBound.root)).sort(), ['three@1', 'two@1'])
  await pastBound.cache.remove('two@1')
  assert.deepEqual(await readdir(pastBound.root), ['three@1'])
})

test('a failed preview leaves nothing, and is retried', async () => {
  const from = await writeBundle(path.join(folder, 'bundles'), 'broken')
  const scene = await readFile(path.join(from, 'scene.png'))
  await writeFile(path.join(from, 'scene.png'), 'no picture')
  const { cache, root } = openCache()
  const request = { ...ask('broken@1'), make: reduceFrom(from, reduceBundle) }
  await assert.rejects(cache.folderOf(request), BundleInspectionFailedError)
  assert.deepEqual(await readdir(root), [])
  await writeFile(path.join(from, 'scene.png'), scene)
  await cache.folderOf(request)
  const toFolder = await mkdtemp(path.join(folder, 'late-'))
  const late = reduceBundle({ from, toFolder, widthPx: 100 }, { processorS: 90, timeoutMs: 1, memoryMib: 1536 })
  await assert.rejects(late, ImportsBusyError)
})
