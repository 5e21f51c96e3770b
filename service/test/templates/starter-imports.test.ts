/** The bundled imports of the starter pack equal what imports make; a first start only takes them over. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import sharp from 'sharp'
import { newId } from '../../src/database/new-id.ts'
import { FirstRun } from '../../src/first-run/first-run.ts'
import { listStarterPack, starterImportsFolder } from '../../src/first-run/starter-pack.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { openObjectStorage } from '../../src/storage/open-object-storage.ts'
import { INSPECTIONS_AT_ONCE } from '../../src/templates/limits.ts'
import { openTemplateStore, sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import { readStoredImport, writeStoredImport } from '../../src/templates/stored-import.ts'
import { createTestDatabase } from '../servers/test-database.ts'
import { assertSameImport, assertSamePicture } from './same-import.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-starter-imports-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Ordinary runs import three frames with corners, and cloth with a map and a selectable colour. */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const ofEachKind = ['gallery-wall-three', 'white-tee-flat-lay']
const compared = listStarterPack().filter(bundle => isFull || ofEachKind.includes(path.basename(bundle)))

test('exactly the bundled templates have bundled imports', async () => {
  assert.deepEqual(
    (await readdir(starterImportsFolder)).sort(),
    listStarterPack().map(bundle => path.basename(bundle)),
  )
  assert.equal(compared.length, isFull ? listStarterPack().length : ofEachKind.length)
  for (const bundle of listStarterPack())
    assert.ok(await readStoredImport(bundle, path.join(starterImportsFolder, path.basename(bundle))), bundle)
})

// With the same concurrency as a node.
describe('a bundled import equals what an import makes', { concurrency: INSPECTIONS_AT_ONCE }, () => {
  for (const bundle of compared)
    test(`${path.basename(bundle)} (node scripts/import-starter-pack.ts writes it)`, async () => {
      const made = path.join(folder, path.basename(bundle))
      await mkdir(made)
      await writeStoredImport({ from: bundle, toFolder: made, sampleArtwork: sampleArtworkFile })
      await assertSameImport(made, path.join(starterImportsFolder, path.basename(bundle)))
    })
})

test('a picture made on another processor may be rounded differently, but not be a different picture', async () => {
  const thumbnail = await readFile(path.join(starterImportsFolder, 'oak-frame-portrait/thumbnail.jpg'))
  const picture = sharp(thumbnail)
  const [raised, coarser, brighter] = await Promise.all([
    picture.clone().linear(1, 1).png().toBuffer(),
    picture.clone().jpeg({ quality: 60 }).toBuffer(),
    picture.clone().linear(1, 3).png().toBuffer(),
  ])
  await assertSamePicture(thumbnail, raised, 'one level brighter')
  await assert.rejects(assertSamePicture(thumbnail, coarser, 'encoded again'), /encoded again: \d/)
  await assert.rejects(assertSamePicture(thumbnail, brighter, 'three levels brighter'), /brighter: \d/)
})

/** A step of the first start on an empty database, with what it executes and starts. */
async function firstStart(t: TestContext, kind: 'sqlite' | 'postgres', dataDir: string) {
  const { database, remove } = await createTestDatabase(kind)
  t.after(remove)
  let statementCount = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statementCount++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const queries = database.queries.withPlugin(counter)
  Object.defineProperty(database, 'queries', { value: queries })
  let processCount = 0
  const noteProcess = () => processCount++
  subscribe('child_process', noteProcess)
  t.after(() => unsubscribe('child_process', noteProcess))
  const settings = loadSettings({ DATA_DIR: dataDir })
  const templates = openTemplateStore(settings, database, openObjectStorage(settings))
  const start = async (bundles: readonly string[]) => {
    statementCount = 0
    processCount = 0
    const imported: string[] = []
    const firstRun = new FirstRun(database, newId('ins'))
    await firstRun.importTemplates(templates, bundles, starterImportsFolder, bundle => imported.push(bundle))
    return { imported, statementCount, processCount }
  }
  return { database, templates, start }
}

for (const kind of ['sqlite', 'postgres'] as const)
  test(`a first start on ${kind} starts no process, so decodes nothing, and executes statements for all templates at once`, async t => {
    const { database, templates, start } = await firstStart(t, kind, path.join(folder, `data-${kind}`))
    const { imported, statementCount, processCount } = await start(listStarterPack())
    assert.deepEqual([imported, processCount], [[], 0])
    assert.ok(statementCount < 16, `${statementCount} statements`)
    const names = listStarterPack().map(bundle => path.basename(bundle))
    assert.deepEqual((await templates.listAll()).map(({ id }) => id).sort(), names)
    assert.deepEqual(await database.queries.selectFrom('template_remains').selectAll().execute(), [])
    for (const record of await templates.listAll()) {
      const { folder: copy } = await templates.localBundle(record)
      const bundle = listStarterPack().find(each => path.basename(each) === record.id) ?? ''
      for (const name of await readdir(copy))
        assert.ok((await readFile(path.join(copy, name))).equals(await readFile(path.join(bundle, name))), name)
      const asker = { accountId: 'acc', beforeMaking: () => Promise.reject(new Error('a pack is made')) }
      const pack = await templates.openPack(record, 480, asker)
      assert.ok(pack === null || pack.sizeBytes > 0)
    }
    assert.deepEqual((await start(listStarterPack())).imported, [])
  })

test('of nodes that start concurrently one stores the templates', async t => {
  const dataDir = path.join(folder, 'data-nodes')
  const { database, templates } = await firstStart(t, 'postgres', dataDir)
  const ids = Array.from({ length: 3 }, () => newId('ins'))
  const nowMs = Date.now()
  const alive = ids.map(id => ({ id, started_at_ms: nowMs, heartbeat_at_ms: nowMs }))
  await database.queries.insertInto('instances').values(alive).execute()
  const importAs = (id: string) =>
    new FirstRun(database, id).importTemplates(templates, listStarterPack(), starterImportsFolder, assert.fail)
  const done = await Promise.all(ids.map(importAs))
  assert.deepEqual(
    done.filter(isDone => isDone),
    [true],
    'the others leave the account to that one',
  )
  assert.deepEqual(await Promise.all(ids.map(importAs)), [true, true, true])
  assert.equal((await templates.listAll()).length, listStarterPack().length)
  const versions = await Promise.all(
    listStarterPack().map(bundle => readdir(path.join(dataDir, 'objects/templates', path.basename(bundle)))),
  )
  assert.deepEqual(new Set(versions.map(({ length }) => length)), new Set([1]))
})

test('a bundle that differs from the bundled import is imported normally', async t => {
  const bundle = path.join(folder, 'changed', path.basename(listStarterPack()[0] ?? ''))
  await cp(listStarterPack()[0] ?? '', bundle, { recursive: true })
  const description = path.join(bundle, 'template.json')
  await writeFile(description, (await readFile(description, 'utf8')).replace(/"name": "[^"]*"/, '"name": "Changed"'))
  assert.equal(await readStoredImport(bundle, path.join(starterImportsFolder, path.basename(bundle))), null)
  const { templates, start } = await firstStart(t, 'sqlite', path.join(folder, 'data-changed'))
  assert.deepEqual((await start([bundle])).imported, [bundle])
  assert.deepEqual(
    (await templates.listAll()).map(({ name }) => name),
    ['Changed'],
  )
})

test('templates that exist, or once did, are not changed', async t => {
  const { templates } = await firstStart(t, 'sqlite', path.join(folder, 'data-present'))
  const [first = '', second = ''] = listStarterPack()
  const stored = await Promise.all(
    [first, second].map(bundle => readStoredImport(bundle, path.join(starterImportsFolder, path.basename(bundle)))),
  )
  const imports = stored.filter(each => each !== null)
  await templates.takeOver(imports.slice(0, 1))
  await templates.remove({ id: path.basename(first), ownerAccountId: null })
  // Two nodes, one of which was thought to be dead.
  await Promise.all([templates.takeOver(imports), templates.takeOver(imports)])
  assert.deepEqual(
    (await templates.listAll()).map(({ id, version }) => [id, version]),
    [[path.basename(second), 1]],
  )
})
