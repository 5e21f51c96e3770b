import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { openDatabase } from './database.ts'
import { holdLease, releaseLeases } from './lease.ts'

describeOnBothDatabases('a lease', use => {
  test('is held and renewed by one process, and passes to another when it expires or is released', async t => {
    let nowMs = 1_000
    const other = await openDatabase(use().location)
    t.after(() => other.close())
    const clock = () => nowMs
    const hold = (instanceId: string, database = use().database) =>
      holdLease(database, 'housekeeping', { instanceId, clock }, 100)
    const first = await Promise.all([hold('ins_a'), hold('ins_b', other)])
    assert.equal(first.filter(Boolean).length, 1)
    const [holder, waiting] = first[0] ? ['ins_a', 'ins_b'] : ['ins_b', 'ins_a']
    nowMs += 99
    assert.deepEqual([await hold(waiting), await hold(holder)], [false, true])
    nowMs += 99
    assert.equal(await hold(waiting), false, 'it was renewed')
    nowMs += 1
    assert.deepEqual([await hold(waiting), await hold(holder)], [true, false])
    await releaseLeases(other, waiting)
    assert.equal(await hold(holder), true)
  })
})
