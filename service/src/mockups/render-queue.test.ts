import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { MAX_PASSED_OVER } from './limits.ts'
import { RenderQueue } from './render-queue.ts'

type Job = { readonly keyId: string; readonly number: number; readonly isWarm: boolean }

const jobs = fc
  .array(fc.record({ keyId: fc.constantFrom('a', 'b', 'c', 'd'), isWarm: fc.boolean() }), { maxLength: 60 })
  .map(list => list.map((job, number): Job => ({ ...job, number })))

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

  it('keeps each key’s own order while nothing is preferred', () => {
    fc.assert(
      fc.property(jobs, list => {
        const taken = takeAll(filled(list), () => false)
        for (const keyId of ['a', 'b', 'c', 'd']) {
          const own = (all: readonly Job[]) => all.filter(job => job.keyId === keyId).map(job => job.number)
          assert.deepEqual(own(taken), own(list))
        }
      }),
    )
  })

  it('lets no key have a second turn before every other one that waits had its first', () => {
    fc.assert(
      fc.property(jobs, list => {
        const keyCount = new Set(list.map(job => job.keyId)).size
        const first = takeAll(filled(list), () => false).slice(0, keyCount)
        assert.equal(new Set(first.map(job => job.keyId)).size, keyCount)
      }),
    )
  })

  it('knows what would be served before a new job of a key', () => {
    fc.assert(
      fc.property(jobs, list => {
        const queue = filled(list)
        const ahead: number[] = []
        assert.equal(
          queue.sumAhead('a', job => {
            ahead.push(job.number)
            return 2
          }),
          2 * ahead.length,
        )
        const last: Job = { keyId: 'a', number: -1, isWarm: false }
        queue.add(last)
        const taken = takeAll(queue, () => false)
        const before = taken.slice(0, taken.indexOf(last)).map(job => job.number)
        // Who has the turn at the moment decides whether each other key's last one comes before or after.
        assert.ok(before.every(number => ahead.includes(number)))
        assert.ok(ahead.length - before.length <= 3)
      }),
    )
  })

  it('passes nobody over for ever', () => {
    fc.assert(
      fc.property(jobs, list => {
        const front: Job = { keyId: 'z', number: -1, isWarm: false }
        const queue = filled([front, ...list.map(job => ({ ...job, isWarm: true }))])
        assert.ok(takeAll(queue, job => job.isWarm).indexOf(front) <= MAX_PASSED_OVER)
      }),
    )
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
