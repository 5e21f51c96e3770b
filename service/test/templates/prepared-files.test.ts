import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSharpCodec } from '@vitrine/engine/node'
import { RenderPool } from '../../src/mockups/render-pool.ts'
import { TemplateCache } from '../../src/mockups/worker/template-cache.ts'
import { renderProgramPaths, renderWorkerFile } from '../../src/mockups/worker-files.ts'
import { PrivateFolders } from '../../src/storage/private-folders.ts'
import { answerBundleRequest } from '../../src/templates/answer-bundle-request.ts'
import { BundleDigest } from '../../src/templates/bundle-digest.ts'
import { PREPARED_FILE } from '../../src/templates/bundle-files.ts'
import { type prepareBundle } from '../../src/templates/inspect-bundle.ts'
import { PREPARED_WANTED_MAX } from '../../src/templates/limits.ts'
import { PreparedFiles, type PreparedFilesOptions } from '../../src/templates/prepared-files.ts'
import type { TemplateBundle } from '../../src/templates/template-bundle.ts'
import { floorArea, plainPicture, writeBundle } from '../mockups/test-bundle.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-prepared-'))
after(() => rm(folder, { recursive: true, force: true }))

const WIDTH_PX = 300

async function makeBundle(id: string, colors: readonly (typeof floorArea)[] = []): Promise<TemplateBundle> {
  const place = await writeBundle(path.join(folder, 'bundles'), id, 1, colors)
  const digest = new BundleDigest()
  for (const name of (await readdir(place)).sort()) {
    const bytes = await readFile(path.join(place, name))
    digest.addFile(name, bytes.length)
    digest.addBytes(bytes)
  }
  return { key: `${id}@1`, folder: place, digest: digest.end() }
}

const [a, b, c] = await Promise.all(['aa', 'bb', 'cc'].map(id => makeBundle(id)))
assert.ok(a && b && c)

let rootCount = 0
const newRoot = (): string => path.join(folder, `root-${++rootCount}`)
const open = (root: string, options: Partial<PreparedFilesOptions> = {}): Promise<PreparedFiles> =>
  PreparedFiles.open({ root, maxBytes: 1024 * 1024 * 1024, leastFreeBytes: 0, ...options })

/** Prepares nothing: writes a file of a given size. */
const prepareBytes =
  (sizeBytes: number): typeof prepareBundle =>
  async ({ toFolder, from }) => {
    await writeFile(path.join(toFolder, PREPARED_FILE), Buffer.alloc(sizeBytes, 1))
    return [a, b, c].find(bundle => bundle.folder === from)?.digest ?? ''
  }

async function make(files: PreparedFiles, ...bundles: readonly TemplateBundle[]): Promise<void> {
  for (const bundle of bundles) {
    for (const from of ['bundle', 'memory'] as const) files.noteUse(bundle, WIDTH_PX, from)
    await files.makeNext()
  }
}

/** Prepares in this process. */
const prepareHere: typeof prepareBundle = async request => {
  const report = await answerBundleRequest({ kind: 'prepare', ...request })
  assert.ok(report.kind === 'prepared')
  return report.digest
}

/** What a newly started render process finds of a template. */
async function read(files: PreparedFiles, bundle: TemplateBundle) {
  const preparedFile = files.find(bundle, WIDTH_PX)
  return new TemplateCache(createSharpCodec(), 1).get(bundle, WIDTH_PX, { preparedFile })
}

test('a template is prepared once, is available to the next service, and a damaged or truncated file is made again', async () => {
  const root = newRoot()
  const before = await open(root)
  const first = await read(before, a)
  assert.equal(first.from, 'bundle')
  await make(before, a)
  const files = await open(root, { prepare: prepareHere })
  const again = await read(files, a)
  assert.deepEqual(again, { prepared: first.prepared, from: 'file' })
  const { file } = files.find(a, WIDTH_PX) ?? assert.fail()
  assert.deepEqual(await readdir(root), [path.basename(file)], 'no draft is left')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal(files.find(a, WIDTH_PX + 1), undefined)
  assert.equal(files.find({ ...a, digest: 'other' }, WIDTH_PX), undefined)
  const { size } = await stat(file)
  for (const damage of [
    () => truncate(file, size - 1),
    () => truncate(file, 0),
    async () => writeFile(file, (await readFile(file)).fill(7, size >> 1, (size >> 1) + 1)),
  ]) {
    await damage()
    assert.deepEqual(await read(files, a), first)
    await make(files, a)
    assert.deepEqual(await read(files, a), again)
  }
})

test('a file contains the template in its own colours, and other colours are made from it as from the bundle', async () => {
  const colored = await makeBundle('dd', [floorArea])
  const files = await open(newRoot(), { prepare: prepareHere })
  const cacheOf = () => new TemplateCache(createSharpCodec(), 1)
  const colors = { accountId: 'acc_a', colors: [['floor', '#1f2a44']] as const }
  const expected = await cacheOf().get(colored, WIDTH_PX, { colors })
  await make(files, colored)
  const preparedFile = files.find(colored, WIDTH_PX) ?? assert.fail()
  const cache = cacheOf()
  const navy = await cache.get(colored, WIDTH_PX, { preparedFile, colors })
  assert.deepEqual(navy, { prepared: expected.prepared, from: 'file' })
  const plain = await cache.get(colored, WIDTH_PX, { preparedFile })
  assert.equal(plain.from, 'memory')
  assert.notDeepEqual(plain.prepared.empty.data, navy.prepared.empty.data)
})

test('files beyond the limit are evicted, least recently used first, also after a restart', async () => {
  const root = newRoot()
  const options = { maxBytes: 2500, prepare: prepareBytes(1000) }
  const files = await open(root, options)
  await make(files, a, b)
  for (const [bundle, seconds] of [
    [a, 2],
    [b, 1],
  ] as const) {
    const { file } = files.find(bundle, WIDTH_PX) ?? assert.fail()
    await utimes(file, seconds, seconds)
  }
  const restarted = await open(root, options)
  await make(restarted, c)
  assert.deepEqual(
    [a, b, c].map(bundle => restarted.find(bundle, WIDTH_PX) !== undefined),
    [true, false, true],
  )
  assert.equal((await readdir(root)).length, 2)
  await make(await open(root, { ...options, prepare: prepareBytes(3000) }), b)
  assert.deepEqual(await readdir(root), [], 'one that exceeds the limit by itself is not stored')
  await make(files, a)
  await open(root, { maxBytes: 0 })
  assert.deepEqual(await readdir(root), [], 'a lowered limit is enforced at the start')
})

test('the last use is written to the disk when the service stops', async () => {
  const root = newRoot()
  const files = await open(root, { prepare: prepareBytes(10) })
  await make(files, a)
  const { file } = files.find(a, WIDTH_PX) ?? assert.fail()
  await utimes(file, 1, 1)
  files.find(a, WIDTH_PX)
  await files.close()
  assert.ok((await stat(file)).mtimeMs > 1000)
})

test('files of removed templates and old drafts are deleted, and files deleted by another process are not found', async () => {
  const root = newRoot()
  const files = await open(root, { prepare: prepareBytes(10) })
  await make(files, a, b, c)
  await writeFile(path.join(root, '.draft-old'), '')
  await writeFile(path.join(root, '.draft-new'), '')
  await utimes(path.join(root, '.draft-old'), 1, 1)
  await rm(files.find(c, WIDTH_PX)?.file ?? assert.fail())
  await files.trim(async prefixes => {
    assert.deepEqual([...prefixes].sort(), ['templates/aa/1/', 'templates/bb/1/'])
    return new Set(['templates/aa/1/'])
  })
  assert.deepEqual(
    [a, b, c].map(bundle => files.find(bundle, WIDTH_PX) !== undefined),
    [true, false, false],
  )
  assert.deepEqual(
    (await readdir(root)).filter(name => !name.startsWith('aa@1')),
    ['.draft-new'],
  )
})

test('nothing is stored for a bundle that is not the imported one, without a digest, on a full disk, or if disabled', async () => {
  const cases: readonly [TemplateBundle, Partial<PreparedFilesOptions>][] = [
    [{ ...a, digest: '0'.repeat(64) }, {}],
    [{ key: a.key, folder: a.folder }, {}],
    [a, { leastFreeBytes: Number.MAX_SAFE_INTEGER }],
    [a, { maxBytes: 0 }],
  ]
  for (const [bundle, options] of cases) {
    const root = newRoot()
    await make(await open(root, { ...options, prepare: prepareBytes(10) }), bundle)
    assert.deepEqual(await readdir(root), [])
  }
})

test('a template is prepared after its second mockup, whatever process made it, but not if it came from a file', async () => {
  const made: string[] = []
  const prepare: typeof prepareBundle = async request => {
    made.push(request.from)
    return prepareBytes(10)(request, new AbortController().signal)
  }
  const files = await open(newRoot(), { prepare })
  for (const [bundle, from] of [
    [a, 'bundle'],
    [b, 'bundle'],
    [b, 'memory'],
    [c, 'file'],
    [c, 'file'],
  ] as const)
    files.noteUse(bundle, WIDTH_PX, from)
  for (let count = 0; count < 3; count++) await files.makeNext()
  assert.deepEqual(made, [b.folder])
  for (const _ of [1, 2]) files.noteUse(b, WIDTH_PX, 'memory')
  files.noteUse(a, WIDTH_PX, 'bundle')
  for (let count = 0; count < 3; count++) await files.makeNext()
  assert.deepEqual(made, [b.folder, a.folder])
})

test('the queue is limited, without duplicates; a bundle that cannot be prepared fails alone', async () => {
  const made: string[] = []
  const files = await open(newRoot(), {
    prepare: async ({ name }) => {
      made.push(name)
      throw new Error('no')
    },
  })
  for (let widthPx = 1; widthPx <= PREPARED_WANTED_MAX + 1; widthPx++)
    for (const _ of [1, 2, 3]) files.noteUse(a, widthPx, 'bundle')
  for (let count = 0; count < PREPARED_WANTED_MAX; count++) await assert.rejects(files.makeNext(), /no/)
  await files.makeNext()
  assert.equal(new Set(made).size, PREPARED_WANTED_MAX)
})

test('stopping ends the process that prepares, and leaves nothing', async () => {
  const root = newRoot()
  const files = await open(root)
  for (const _ of [1, 2]) files.noteUse(a, 4000, 'bundle')
  const making = files.makeNext()
  while ((await readdir(root)).length === 0) await nextTurn()
  await files.close()
  await making
  assert.deepEqual(await readdir(root), [])
})

test('a new render process makes the same bytes from the file, and without the file from the bundle', async () => {
  const { root: tempRoot } = await PrivateFolders.open(path.join(folder, 'processes'))
  const artworkFile = path.join(folder, 'artwork.png')
  await writeFile(artworkFile, await plainPicture(90, 70, [250, 10, 20]))
  const files = await open(newRoot())
  let count = 0
  const renderTwice = async () => {
    await using pool = await RenderPool.start({
      workerFile: renderWorkerFile,
      readablePaths: renderProgramPaths,
      tempRoot,
      processCount: 1,
      preparedSource: files,
    })
    const results = []
    for (const _ of [1, 2]) {
      const toFile = path.join(folder, `mockup-${++count}`)
      const [mockup] = await pool.render(
        {
          accountId: 'acc_a',
          mockups: [{ bundle: b, toFile }],
          artworks: [{ frame: null, file: artworkFile, contentName: null }],
          colors: [],
          placements: { all: undefined, byFrame: [] },
          output: { format: 'jpeg', quality: 85, widthPx: WIDTH_PX },
        },
        pool.admit('acc_a'),
      )
      results.push({ from: mockup?.preparedFrom, bytes: await readFile(toFile) })
    }
    assert.deepEqual(await readdir(path.join(tempRoot, (await readdir(tempRoot))[0] ?? '')), ['bundle-0', 'out'])
    return results
  }
  const [cold, warm] = await renderTwice()
  assert.deepEqual([cold?.from, warm?.from], ['bundle', 'memory'])
  await files.makeNext()
  assert.deepEqual(await renderTwice(), [{ ...cold, from: 'file' }, warm])
  await rm(files.find(b, WIDTH_PX)?.file ?? assert.fail())
  assert.deepEqual(await renderTwice(), [cold, warm])
})
