import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/servers/test-database.ts'
import { newId } from '../database/new-id.ts'
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
