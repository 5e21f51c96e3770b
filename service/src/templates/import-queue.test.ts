import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ImportQueue, ImportsBusyError } from './import-queue.ts'
import { IMPORTS_PER_ACCOUNT, IMPORTS_UNDER_WAY, INSPECTIONS_AT_ONCE } from './limits.ts'

/** Inspections that end on request, with the names of those in progress. */
class Inspections {
  readonly running: string[] = []
  readonly #ends = new Map<string, () => void>()

  begin(queue: ImportQueue, owner: string, name: string): Promise<void> {
    return queue.inspect(owner, () => {
      this.running.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#ends.set(name, resolve)
      return promise
    })
  }

  async end(name: string): Promise<void> {
    this.running.splice(this.running.indexOf(name), 1)
    this.#ends.get(name)?.()
    await new Promise(setImmediate)
  }
}

describe('the queue of imports', () => {
  it('limits concurrent imports of an account, until one of them ends', () => {
    const queue = new ImportQueue()
    const leases = Array.from({ length: IMPORTS_PER_ACCOUNT }, () => queue.admit('one'))
    assert.throws(() => queue.admit('one'), ImportsBusyError)
    queue.admit('other')
    leases[0]?.[Symbol.dispose]()
    queue.admit('one')
    assert.throws(() => queue.admit('one'), ImportsBusyError)
  })

  it('limits concurrent imports of all accounts, and says when to retry', () => {
    const queue = new ImportQueue()
    for (let count = 0; count < IMPORTS_UNDER_WAY; count++) queue.admit(`account ${count}`)
    assert.throws(
      () => queue.admit('one more'),
      (error: unknown) => error instanceof ImportsBusyError && error.retryAfterS > 0,
    )
  })

  it('inspects one bundle of an owner at a time, and a limited number of different owners', async () => {
    const queue = new ImportQueue()
    const inspections = new Inspections()
    const begun = ['first', 'second'].map(name => inspections.begin(queue, 'greedy', name))
    for (let count = 1; count <= INSPECTIONS_AT_ONCE; count++) {
      begun.push(inspections.begin(queue, `other ${count}`, `of other ${count}`))
    }
    await new Promise(setImmediate)
    assert.deepEqual(inspections.running, ['first', 'of other 1'])
    await inspections.end('of other 1')
    assert.deepEqual(inspections.running, ['first', 'of other 2'], 'the second of the same owner is passed over')
    await inspections.end('first')
    assert.deepEqual(inspections.running, ['of other 2', 'second'])
    await inspections.end('second')
    await inspections.end('of other 2')
    await Promise.all(begun)
  })

  it('continues after an inspection fails', async () => {
    const queue = new ImportQueue()
    await assert.rejects(
      queue.inspect('one', () => Promise.reject(new Error('it failed'))),
      /it failed/,
    )
    assert.equal(await queue.inspect('one', async () => 'done'), 'done')
  })
})
