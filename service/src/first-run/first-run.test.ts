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
import { FirstRun } from './first-run.ts'

test('of several nodes on an empty database one creates the account; another takes over if it dies', async t => {
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

test('an interrupted start is resumed: templates that it has imported are not imported again', async t => {
  const { database, remove } = await createTestDatabase('sqlite')
  t.after(remove)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-first-run-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const bundles = ['one', 'two', 'three'].map(id => path.join(folder, id))
  for (const bundle of bundles) {
    const description = { ...goodDescription(), id: path.basename(bundle), name: 'Small' }
    await writeBundle(bundle, { ...(await goodBundle()), 'template.json': jsonBytes(description) })
  }
  const settings = loadSettings({ DATA_DIR: path.join(folder, 'data') })
  const templates = openTemplateStore(settings, database, openObjectStorage(settings))
  const importInto = async (): Promise<string[]> => {
    const imported: string[] = []
    await new FirstRun(database, newId('ins')).importTemplates(templates, bundles, folder, bundle =>
      imported.push(bundle),
    )
    return imported
  }
  await templates.importBundle({ path: path.join(folder, 'two'), ownerAccountId: null })
  assert.deepEqual(new Set(await importInto()), new Set([bundles[0], bundles[2]]))
  await templates.remove({ id: 'one', ownerAccountId: null })
  assert.deepEqual(await importInto(), [], 'a removed template is not imported again')
})
