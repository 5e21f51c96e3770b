import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailableError } from '../database/database-error.ts'
import { WorkGroups } from './work-groups.ts'

/** Groups whose runs are completed by the test, with the work that each run was given. */
function openGroups() {
  type Run = {
    key: string
    works: readonly string[]
    mayBeDone: boolean
    end: (results: readonly string[]) => void
    fail: (error: Error) => void
  }
  const runs: Run[] = []
  const groups = new WorkGroups<string, string>((key, works, mayBeDone) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    runs.push({ key, works, mayBeDone, end: resolve, fail: reject })
    return promise
  })
  const next = async (index: number): Promise<Run> => {
    for (let i = 0; i < 50 && runs[index] === undefined; i++) await Promise.resolve()
    const run = runs[index]
    assert.ok(run)
    return run
  }
  return { runs, groups, next }
}

test('work that arrives while a group runs forms the next group, in order; another key does not wait', async () => {
  const { runs, groups, next } = openGroups()
  const results = ['a', 'b', 'c'].map(work => groups.add('hot', work))
  const other = groups.add('cold', 'x')
  assert.deepEqual(
    runs.map(({ key, works }) => [key, ...works]),
    [
      ['hot', 'a'],
      ['cold', 'x'],
    ],
  )
  runs[1]?.end(['X'])
  assert.equal(await other, 'X')
  runs[0]?.end(['A'])
  const second = await next(2)
  assert.deepEqual(second.works, ['b', 'c'])
  second.end(['B', 'C'])
  assert.deepEqual(await Promise.all(results), ['A', 'B', 'C'])
  const later = groups.add('hot', 'd')
  const third = await next(3)
  assert.deepEqual(third.works, ['d'])
  third.end(['D'])
  assert.equal(await later, 'D')
})

test('a failed group is retried one by one, so that only the faulty work fails', async () => {
  const { groups, next } = openGroups()
  const first = groups.add('hot', 'first')
  const results = ['good', 'bad', 'good too'].map(work => groups.add('hot', work))
  const settled = Promise.allSettled(results)
  ;(await next(0)).end(['first'])
  await first
  const together = await next(1)
  assert.deepEqual([together.works.length, together.mayBeDone], [3, false])
  together.fail(new Error('one of them'))
  for (const i of [2, 3, 4]) {
    const alone = await next(i)
    assert.deepEqual([alone.works.length, alone.mayBeDone], [1, true])
    if (alone.works[0] === 'bad') alone.fail(new Error('bad'))
    else alone.end(alone.works)
  }
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('if the database is unavailable the whole group fails at once, without retries', async () => {
  const { runs, groups, next } = openGroups()
  const first = groups.add('hot', 'a')
  const rest = Promise.allSettled([groups.add('hot', 'b'), groups.add('hot', 'c')])
  ;(await next(0)).end(['a'])
  await first
  ;(await next(1)).fail(new DatabaseUnavailableError('away'))
  for (const result of await rest)
    assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailableError)
  assert.equal(runs.length, 2)
})

test('a group has at most a hundred members, and a slow one does not block the next for ever', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { runs, groups, next } = openGroups()
  const all = Array.from({ length: 102 }, (_, i) => groups.add('hot', `${i}`))
  t.mock.timers.tick(1_000)
  assert.equal((await next(1)).works.length, 100)
  t.mock.timers.tick(1_000)
  assert.equal((await next(2)).works.length, 1)
  for (const { works, end } of runs) end(works)
  assert.deepEqual(
    await Promise.all(all),
    Array.from({ length: 102 }, (_, i) => `${i}`),
  )
})
