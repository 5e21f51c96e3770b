import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { goodBundle, goodDescription, jsonBytes, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'
import { createTestDatabase } from '../../test/servers/test-database.ts'
import { newId } from '../database/new-id.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { openTemplateStore } from '../templates/open-template-store.ts'
import { AwaitedTemplates } from './awaited-templates.ts'
import { FirstRun } from './first-run.ts'

test('of several nodes on an empty database one makes the account; another takes over when that one has died', async t => {
  const { database, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const ids = Array.from({ length: 4 }, () => newId('ins'))
  const nowMs = Date.now()
  const alive = ids.map(id => ({ id, started_at_ms: nowMs, heartbeat_at_ms: nowMs }))
  await database.queries.insertInto('instances').values(alive).execute()
  const prepare = (nodes: readonly string[]) =>
    Promise.all(nodes.map(async id => ((await new FirstRun(database, id).prepareAccount()) === null ? [] : [id])))
  const [maker = ''] = (await prepare(ids)).flat()
  const others = ids.filter(id => id !== maker)
  assert.deepEqual((await prepare(ids)).flat(), [maker])
  await database.queries.deleteFrom('instances').where('id', '=', maker).execute()
  assert.equal((await prepare(others)).flat().length, 1)
})

test('of several nodes one imports the templates, and they are awaited until all are there, whichever node dies', async t => {
  const { database, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-first-run-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const bundles = ['one', 'two', 'three'].map(id => path.join(folder, id))
  for (const bundle of bundles) {
    const files = await goodBundle()
    files['template.json'] = jsonBytes({ ...goodDescription(), id: path.basename(bundle), name: 'Small' })
    await writeBundle(bundle, files)
  }
  const settings = loadSettings({ DATA_DIR: path.join(folder, 'data') })
  const templates = openTemplateStore(settings, database, openObjectStorage(settings))
  const [first, second] = [newId('ins'), newId('ins')]
  const nowMs = Date.now()
  const alive = [first, second].map(id => ({ id, started_at_ms: nowMs, heartbeat_at_ms: nowMs }))
  await database.queries.insertInto('instances').values(alive).execute()
  const awaited = new AwaitedTemplates(database, bundles)
  const announced: string[] = []
  const importFirst = (id: string) =>
    new FirstRun(database, id).importFirst(templates, bundles, bundle => announced.push(bundle))
  const importOthers = (id: string, signal: AbortSignal) =>
    new FirstRun(database, id).importOthers(templates, bundles.slice(1), {
      signal,
      onFailed: (_, error) => assert.ifError(error),
    })
  const present = async () => (await templates.listAll()).map(({ id }) => id).sort()

  assert.equal(await awaited.includeAny(['one']), false)
  assert.deepEqual(await importFirst(first), bundles.slice(1))
  assert.equal(await importFirst(second), null)
  assert.deepEqual(await present(), ['one'])
  assert.deepEqual([await awaited.includeAny(['two']), await awaited.includeAny(['four'])], [true, false])
  assert.equal(await importOthers(first, AbortSignal.abort()), false)

  await database.queries.deleteFrom('instances').where('id', '=', first).execute()
  assert.deepEqual(await importFirst(second), bundles.slice(1))
  assert.deepEqual(announced, bundles.slice(0, 1), 'what is there is not imported again')
  assert.equal(await importOthers(second, new AbortController().signal), true)
  assert.deepEqual(await present(), ['one', 'three', 'two'])
  assert.equal(await awaited.includeAny(['two']), false)
  assert.equal(await importFirst(second), null)
})
