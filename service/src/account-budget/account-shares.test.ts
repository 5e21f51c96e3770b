import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { AccountShares, type Place } from './account-shares.ts'

const accountId = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const moves = fc.array(fc.record({ accountId, isReleasing: fc.boolean() }), { maxLength: 200 })

/** Takes and releases places as listed, and checks an invariant after every step. */
function play(
  limit: number,
  list: readonly { readonly accountId: string; readonly isReleasing: boolean }[],
  check: (held: ReadonlyMap<string, readonly Place[]>, shares: AccountShares) => void,
): void {
  const shares = new AccountShares(limit)
  const held = new Map<string, Place[]>()
  for (const { accountId, isReleasing } of list) {
    const own = held.get(accountId) ?? []
    if (isReleasing) own.pop()?.release()
    else own.push(...take(shares, accountId))
    if (own.length > 0) held.set(accountId, own)
    else held.delete(accountId)
    check(held, shares)
  }
}

/** The place that the account gets, or an empty list. */
function take(shares: AccountShares, accountId: string): Place[] {
  const hasRoom = shares.hasRoom(accountId)
  const place = shares.tryTake(accountId)
  assert.equal(place !== null, hasRoom)
  return place === null ? [] : [place]
}

/** Takes places for an account until it is refused. @returns how many */
function fill(shares: AccountShares, accountId: string): number {
  let count = 0
  while (shares.tryTake(accountId) !== null) count += 1
  return count
}

describe('Shares of accounts', () => {
  it('count exactly the places that are taken, never more than twice the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), moves, (limit, list) => {
        play(limit, list, (held, shares) => {
          assert.equal(shares.count, [...held.values()].flat().length)
          assert.ok(shares.count <= 2 * limit)
        })
      }),
    )
  })

  it('give a single account all places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), limit => {
        assert.equal(fill(new AccountShares(limit), 'a'), limit)
      }),
    )
  })

  it('give an account its first place, whatever the others have, while fewer accounts than the limit have any', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 20 }), moves, (limit, list) => {
        play(limit, list, (_held, shares) => {
          if (shares.count === 2 * limit) return
          const place = shares.tryTake('newcomer')
          assert.ok(place !== null)
          place.release()
        })
      }),
    )
  })

  it('limit an account to its share while others have places', () => {
    const shares = new AccountShares(10)
    shares.tryTake('b')
    assert.equal(fill(shares, 'a'), 5)
  })

  it('give accounts that ask in turn all places and no more, even if their shares are not integers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (limit, accountCount) => {
        fc.pre(accountCount <= limit)
        const shares = new AccountShares(limit)
        const accounts = Array.from({ length: accountCount }, (_, i) => `account ${i}`)
        for (let turn = 0; turn <= limit; turn += 1) for (const account of accounts) shares.tryTake(account)
        assert.equal(shares.count, limit)
      }),
    )
  })

  it('take a place back once', () => {
    const shares = new AccountShares(10)
    const [first] = [shares.tryTake('a'), shares.tryTake('a')]
    first?.release()
    first?.release()
    assert.equal(shares.count, 1)
  })
})
