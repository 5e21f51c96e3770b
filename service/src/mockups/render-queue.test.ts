import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { MAX_PASSED_OVER, PASSING_MAX_MS } from './limits.ts'
import { RenderQueue } from './render-queue.ts'

type Job = {
  readonly accountId: string
  readonly expectedMs: number
  readonly number: number
  readonly isWarm: boolean
}

const accountIds = ['a', 'b', 'c', 'd'] as const
const HEAVY_MS = 4000
const listed = (expectedMs: fc.Arbitrary<number>) =>
  fc
    .array(fc.record({ accountId: fc.constantFrom(...accountIds), isWarm: fc.boolean(), expectedMs }), {
      maxLength: 60,
    })
    .map(list => list.map((job, number): Job => ({ ...job, number })))
const jobs = listed(fc.integer({ min: 0, max: HEAVY_MS }))
const equalJobs = listed(fc.constant(10))

function takeAll(queue: RenderQueue<Job>, isPreferred: (job: Job) => boolean): Job[] {
  const taken: Job[] = []
  for (let job = queue.take(isPreferred); job !== null; job = queue.take(isPreferred)) taken.push(job)
  return taken
}

function filled(list: readonly Job[]): RenderQueue<Job> {
  const queue = new RenderQueue<Job>()
  for (const job of list) queue.add(job)
  return queue
}

const job = (accountId: string, expectedMs: number, isWarm = false): Job => ({
  accountId,
  expectedMs,
  isWarm,
  number: -1,
})

describe('The queue of jobs', () => {
  it('gives every job out once', () => {
    fc.assert(
      fc.property(jobs, fc.boolean(), (list, prefersWarm) => {
        const queue = filled(list)
        const taken = takeAll(queue, job => prefersWarm && job.isWarm)
        assert.deepEqual(
          taken.map(job => job.number).toSorted((a, b) => a - b),
          list.map(job => job.number),
        )
        assert.equal(queue.size, 0)
      }),
    )
  })

  it('keeps each account’s own order while nothing is preferred', () => {
    fc.assert(
      fc.property(jobs, list => {
        const taken = takeAll(filled(list), () => false)
        for (const accountId of accountIds) {
          const own = (all: readonly Job[]) => all.filter(job => job.accountId === accountId).map(job => job.number)
          assert.deepEqual(own(taken), own(list))
        }
      }),
    )
  })

  it('leaves jobs of accounts that must wait in the queue, and returns the others in order', () => {
    fc.assert(
      fc.property(jobs, list => {
        const [queue, free] = [filled(list), filled(list.filter(job => job.accountId !== 'a'))]
        const taken: Job[] = []
        const mayStart = (accountId: string) => accountId !== 'a'
        const next = () => queue.take(() => false, mayStart)
        for (let job = next(); job !== null; job = next()) taken.push(job)
        assert.deepEqual(
          taken,
          takeAll(free, () => false),
        )
        const kept = list.filter(job => job.accountId === 'a')
        assert.equal(queue.size, kept.length)
        assert.deepEqual(
          takeAll(queue, () => false),
          kept,
        )
      }),
    )
  })

  it('lets no account have a second turn before every other one that waits had its first, where all jobs are alike', () => {
    fc.assert(
      fc.property(equalJobs, list => {
        const accountCount = new Set(list.map(job => job.accountId)).size
        const first = takeAll(filled(list), () => false).slice(0, accountCount)
        assert.equal(new Set(first.map(job => job.accountId)).size, accountCount)
      }),
    )
  })

  it('gives accounts that always wait equal time, to one of the longest jobs, whatever their jobs take', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: HEAVY_MS }), { minLength: 20, maxLength: 60 }), lengths => {
        const queue = new RenderQueue<Job>()
        const servedMs = new Map<string, number>(accountIds.map(id => [id, 0]))
        const next = (accountId: string, at: number) => queue.add(job(accountId, lengths[at % lengths.length] ?? 1))
        accountIds.forEach((id, at) => next(id, at))
        for (let turn = 0; turn < 60; turn += 1) {
          const taken = queue.take(() => false)
          assert.ok(taken !== null)
          servedMs.set(taken.accountId, (servedMs.get(taken.accountId) ?? 0) + taken.expectedMs)
          next(taken.accountId, turn * 7)
          queue.end(taken, taken.expectedMs)
          const times = [...servedMs.values()]
          assert.ok(Math.max(...times) - Math.min(...times) <= HEAVY_MS)
        }
      }),
    )
  })

  it('serves a small job of another account before the next heavy one, however many of these wait', () => {
    for (const processCount of [1, 2, 4]) {
      const queue = filled(Array.from({ length: 12 }, () => job('heavy', HEAVY_MS)))
      for (let process = 0; process < processCount; process += 1) queue.take(() => false)
      queue.add(job('small', 10))
      assert.equal(queue.take(() => false)?.accountId, 'small', `${processCount} processes`)
    }
  })

  it('counts actual and not expected times, so that underestimated jobs give no advantage', () => {
    const queue = new RenderQueue<Job>()
    const order: string[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      for (const accountId of ['honest', 'cheat']) {
        if (turn === 0) queue.add(job(accountId, 10))
      }
      const taken = queue.take(() => false)
      assert.ok(taken !== null)
      order.push(taken.accountId)
      queue.add(job(taken.accountId, 10))
      queue.end(taken, taken.accountId === 'cheat' ? 2000 : 10)
    }
    assert.equal(order.filter(id => id === 'cheat').length, 1)
  })

  it('gives no credit for time in which an account did not ask', () => {
    const queue = new RenderQueue<Job>()
    queue.add(job('busy', 100))
    for (let turn = 0; turn < 50; turn += 1) {
      const taken = queue.take(() => false)
      assert.ok(taken !== null)
      queue.add(job('busy', 100))
      queue.end(taken, 100)
    }
    for (let count = 0; count < 10; count += 1) queue.add(job('rested', 100))
    const order = Array.from({ length: 4 }, () => queue.take(() => false)?.accountId)
    assert.ok(order.includes('busy'), order.join(' '))
  })

  it('knows how long the jobs take that would be served before a new job of an account', () => {
    fc.assert(
      fc.property(jobs, list => {
        const queue = filled(list)
        const expectedMs = queue.expectedMsAhead('a')
        const last = job('a', 1)
        queue.add(last)
        const taken = takeAll(queue, () => false)
        const before = taken.slice(0, taken.indexOf(last))
        // A job counts as at least a millisecond; if two are due at once, either may be first.
        const beforeMs = before.reduce((sum, { expectedMs }) => sum + Math.max(1, expectedMs), 0)
        const dueAtOnceMs = 3 * HEAVY_MS
        assert.ok(beforeMs <= expectedMs && expectedMs <= beforeMs + dueAtOnceMs, `${beforeMs} ${expectedMs}`)
      }),
    )
  })

  it('passes over no job for ever', () => {
    fc.assert(
      fc.property(jobs, list => {
        const front = job('z', 10)
        const queue = filled([front, ...list.map(job => ({ ...job, isWarm: true }))])
        assert.ok(takeAll(queue, job => job.isWarm).indexOf(front) <= MAX_PASSED_OVER)
      }),
    )
  })

  it('lets a short job pass another because its template is warm, and no long one', () => {
    for (const [expectedMs, passes] of [
      [PASSING_MAX_MS, true],
      [PASSING_MAX_MS + 1, false],
    ] as const) {
      const queue = filled([job('a', 10), job('b', expectedMs, true)])
      assert.equal(queue.take(({ isWarm }) => isWarm)?.accountId === 'b', passes, String(expectedMs))
    }
  })

  it('forgets a job that was taken out', () => {
    fc.assert(
      fc.property(jobs, list => {
        const queue = filled(list)
        const [gone] = list
        if (gone === undefined) return
        assert.equal(queue.remove(gone), true)
        assert.equal(queue.remove(gone), false)
        assert.equal(queue.size, list.length - 1)
        assert.ok(!takeAll(queue, () => false).includes(gone))
      }),
    )
  })
})
