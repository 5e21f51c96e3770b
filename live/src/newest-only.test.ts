import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewestOnly } from './newest-only.ts'

test('one task runs at a time, and of those waiting only the newest of each name', async () => {
  const newest = new NewestOnly()
  const begun: string[] = []
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const run = (name: string, id: string) =>
    newest.run(name, async () => {
      begun.push(id)
      started.resolve()
      await gate.promise
      return id
    })
  const first = run('draw', 'a')
  await started.promise
  const results = [first, run('draw', 'b'), run('outline', 'c'), run('draw', 'd')]
  assert.deepEqual(begun, ['a'])
  gate.resolve()
  assert.deepEqual(await Promise.all(results), ['a', undefined, 'c', 'd'])
  assert.deepEqual(begun, ['a', 'd', 'c'])
})

test('a failing task does not affect the others, and dropped tasks never start', async () => {
  const newest = new NewestOnly()
  const failed = newest.run('draw', async () => Promise.reject(new Error('no artwork')))
  const other = newest.run('outline', async () => 'outline')
  await assert.rejects(failed, /no artwork/)
  assert.equal(await other, 'outline')
  const dropped = newest.run('draw', async () => 'drawn')
  newest.drop()
  assert.equal(await dropped, undefined)
})
