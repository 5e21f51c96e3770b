import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { RequestIds, requestTimeOf } from '../database/request-id.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import { answerBodyKey, removeOrphanedBodies } from './answer-bodies.ts'

const HOUR_MS = 3_600_000

test('a request’s id contains its start time', () => {
  const beforeMs = Date.now()
  const timeMs = requestTimeOf(new RequestIds().next())
  assert.ok(timeMs !== null && timeMs >= beforeMs && timeMs <= Date.now())
  for (const other of ['', 'req_', 'req_1', 'key_01JD6Z3W8Q5T7N2K4M9C00', `${new RequestIds().next()}0`])
    assert.equal(requestTimeOf(other), null, other)
})

test('bodies of answers are removed after 25 hours, and nothing else is', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bodies-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const storage = new DiskStorage(folder)
  const requestId = new RequestIds().next()
  const storedAtMs = requestTimeOf(requestId) ?? 0
  const body = answerBodyKey('acc_1', requestId)
  const others = [`templates/acc_1/${requestId}`, 'answers/acc_1/of-no-request']
  for (const key of [body, ...others]) await storage.put(key, Buffer.from('a picture'))
  const keys = async () => (await storage.list('')).map(({ key }) => key)

  assert.equal(await removeOrphanedBodies(storage, storedAtMs + 25 * HOUR_MS), 0)
  assert.equal((await keys()).length, 3)
  assert.equal(await removeOrphanedBodies(storage, storedAtMs + 25 * HOUR_MS + 1), 1)
  assert.deepEqual(new Set(await keys()), new Set(others))
})
