import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Admissions, type Place } from './admissions.ts'

const keyId = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const moves = fc.array(fc.record({ keyId, isLeaving: fc.boolean() }), { maxLength: 200 })

/** Lets keys come and go at will; each comes in whenever it may. Checks `law` after every step. */
function play(
  limit: number,
  list: readonly { readonly keyId: string; readonly isLeaving: boolean }[],
  law: (inside: ReadonlyMap<string, readonly Place[]>, admissions: Admissions) => void,
): void {
  const admissions = new Admissions(limit)
  const inside = new Map<string, Place[]>()
  for (const { keyId, isLeaving } of list) {
    const own = inside.get(keyId) ?? []
    if (isLeaving) own.pop()?.leave()
    else if (admissions.mayEnter(keyId)) own.push(admissions.enter(keyId))
    if (own.length > 0) inside.set(keyId, own)
    else inside.delete(keyId)
    law(inside, admissions)
  }
}

describe('Admission', () => {
  it('counts exactly who is inside, and never more than twice the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), moves, (limit, list) => {
        play(limit, list, (inside, admissions) => {
          assert.equal(admissions.count, [...inside.values()].flat().length)
          assert.ok(admissions.count <= 2 * limit)
        })
      }),
    )
  })

  it('gives a key that is alone the whole queue', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), limit => {
        const admissions = new Admissions(limit)
        let count = 0
        for (; admissions.mayEnter('a'); count += 1) admissions.enter('a')
        assert.equal(count, limit)
      }),
    )
  })

  it('lets a key that has nothing inside in, whatever the others hold, while fewer keys than the limit do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 20 }), moves, (limit, list) => {
        play(limit, list, (inside, admissions) => {
          if (!inside.has('newcomer') && admissions.count < 2 * limit) assert.ok(admissions.mayEnter('newcomer'))
        })
      }),
    )
  })

  it('holds a key to its share while others wait', () => {
    const admissions = new Admissions(10)
    admissions.enter('b')
    let count = 0
    for (; admissions.mayEnter('a'); count += 1) admissions.enter('a')
    assert.equal(count, 5)
  })

  it('gives keys that come in turn the whole queue and no more, whether or not their shares are whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (limit, keyCount) => {
        fc.pre(keyCount <= limit)
        const admissions = new Admissions(limit)
        const keys = Array.from({ length: keyCount }, (_, i) => `key ${i}`)
        for (const key of keys) admissions.enter(key)
        for (let turn = 0; turn < limit; turn += 1)
          for (const key of keys) if (admissions.mayEnter(key)) admissions.enter(key)
        assert.equal(admissions.count, limit)
      }),
    )
  })

  it('counts a place that is left twice once', () => {
    const admissions = new Admissions(10)
    const [first] = [admissions.enter('a'), admissions.enter('a')]
    first?.leave()
    first?.leave()
    assert.equal(admissions.count, 1)
  })
})
