import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns, TurnsTakenError } from './turns.ts'

const nextTurn = () => new Promise(setImmediate)

describe('turns', () => {
  it('let others go first if an owner has enough work in progress, and refuse work beyond the waiting limit', async () => {
    const turns = new Turns({ atOnce: 3, atOncePerOwner: 2, waitingPerOwner: 1 })
    const running: string[] = []
    const ends = new Map<string, () => void>()
    const begin = (owner: string, name: string) =>
      turns.run(owner, () => {
        running.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        return promise
      })
    const end = async (name: string) => {
      running.splice(running.indexOf(name), 1)
      ends.get(name)?.()
      await nextTurn()
    }
    const begun = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3')]
    await assert.rejects(begin('a', 'a4'), TurnsTakenError)
    begun.push(begin('b', 'b1'), begin('b', 'b2'))
    await nextTurn()
    assert.deepEqual(running, ['a1', 'a2', 'b1'])
    await end('b1')
    assert.deepEqual(running, ['a1', 'a2', 'b2'], 'a has two already')
    await end('a1')
    assert.deepEqual(running, ['a2', 'b2', 'a3'])
    for (const name of ['a2', 'b2', 'a3']) await end(name)
    await Promise.all(begun)
  })

  it('continue after work that fails', async () => {
    const turns = new Turns({ atOnce: 1, atOncePerOwner: 1 })
    await assert.rejects(
      turns.run('a', () => Promise.reject(new Error('failed'))),
      { message: 'failed' },
    )
    assert.equal(await turns.run('a', () => Promise.resolve(7)), 7)
  })
})
