import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { AdmissionControl, type Permit } from './admission-control.ts'

const keyId = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const moves = fc.array(fc.record({ keyId, isReleasing: fc.boolean() }), { maxLength: 200 })

/** Admits and releases by the list, and checks an invariant after every step. */
function play(
  limit: number,
  list: readonly { readonly keyId: string; readonly isReleasing: boolean }[],
  check: (held: ReadonlyMap<string, readonly Permit[]>, admissions: AdmissionControl) => void,
): void {
  const admissions = new AdmissionControl(limit)
  const held = new Map<string, Permit[]>()
  for (const { keyId, isReleasing } of list) {
    const own = held.get(keyId) ?? []
    if (isReleasing) own.pop()?.release()
    else own.push(...admit(admissions, keyId))
    if (own.length > 0) held.set(keyId, own)
    else held.delete(keyId)
    check(held, admissions)
  }
}

/** The permit that a key gets, or nothing. */
function admit(admissions: AdmissionControl, keyId: string): Permit[] {
  const permit = admissions.tryAdmit(keyId)
  return permit === null ? [] : [permit]
}

/** Admits a key until it is refused. @returns how often */
function fill(admissions: AdmissionControl, keyId: string): number {
  let count = 0
  while (admissions.tryAdmit(keyId) !== null) count += 1
  return count
}

describe('Admission', () => {
  it('counts exactly the permits that are held, and never more than twice the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), moves, (limit, list) => {
        play(limit, list, (held, admissions) => {
          assert.equal(admissions.count, [...held.values()].flat().length)
          assert.ok(admissions.count <= 2 * limit)
        })
      }),
    )
  })

  it('gives a key that is alone the whole queue', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), limit => {
        assert.equal(fill(new AdmissionControl(limit), 'a'), limit)
      }),
    )
  })

  it('admits a key that holds nothing, whatever the others hold, while fewer keys than the limit do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 20 }), moves, (limit, list) => {
        play(limit, list, (_held, admissions) => {
          if (admissions.count === 2 * limit) return
          const permit = admissions.tryAdmit('newcomer')
          assert.ok(permit !== null)
          permit.release()
        })
      }),
    )
  })

  it('holds a key to its share while others wait', () => {
    const admissions = new AdmissionControl(10)
    admissions.tryAdmit('b')
    assert.equal(fill(admissions, 'a'), 5)
  })

  it('gives keys that come in turn the whole queue and no more, whether or not their shares are whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (limit, keyCount) => {
        fc.pre(keyCount <= limit)
        const admissions = new AdmissionControl(limit)
        const keys = Array.from({ length: keyCount }, (_, i) => `key ${i}`)
        for (let turn = 0; turn <= limit; turn += 1) for (const key of keys) admissions.tryAdmit(key)
        assert.equal(admissions.count, limit)
      }),
    )
  })

  it('releases a permit once', () => {
    const admissions = new AdmissionControl(10)
    const [first] = [admissions.tryAdmit('a'), admissions.tryAdmit('a')]
    first?.release()
    first?.release()
    assert.equal(admissions.count, 1)
  })
})
