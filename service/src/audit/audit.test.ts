import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Audit } from './audit.ts'

const DAY_MS = 24 * 3600 * 1000

describeOnBothDatabases('The audit', use => {
  const onError = (error: unknown) => assert.fail(String(error))

  it('lists events newest first, of one account or action, page by page', async () => {
    const audit = new Audit(use().database, { onError })
    for (let i = 0; i < 5; i++)
      await audit.record({ accountId: 'acc_lists', actor: 'account', action: 'sign_in', target: `${i}` })
    await audit.record({
      accountId: 'acc_lists',
      actor: 'operator',
      actorId: 'acc_operator',
      network: '192.0.2.7',
      action: 'credits_granted',
      target: '25',
      outcome: 'failed',
    })
    audit.note({ accountId: 'acc_other', actor: 'system', action: 'purchase' })
    await audit.close()
    const { events, total } = await audit.list({ accountId: 'acc_lists', page: 1, limit: 2 })
    assert.equal(total, 6)
    const [{ sequence, atMs, ...newest } = assert.fail()] = events
    assert.ok(sequence > 0 && Math.abs(atMs - Date.now()) < 60_000)
    assert.deepEqual(newest, {
      accountId: 'acc_lists',
      actor: 'operator',
      actorId: 'acc_operator',
      network: '192.0.2.7',
      action: 'credits_granted',
      target: '25',
      outcome: 'failed',
    })
    const second = await audit.list({ accountId: 'acc_lists', action: 'sign_in', page: 2, limit: 2 })
    assert.deepEqual(
      second.events.map(({ target }) => target),
      ['2', '1'],
    )
    assert.equal((await audit.list({ action: 'purchase', page: 1, limit: 10 })).events[0]?.accountId, 'acc_other')
  })

  it('refuses changes, and deletions of events younger than 400 days', async () => {
    const { queries } = use().database
    await new Audit(use().database, { onError }).record({ accountId: 'acc_kept', actor: 'account', action: 'sign_in' })
    await assert.rejects(sql`update audit_events set outcome = 'failed'`.execute(queries), /never changed/)
    await assert.rejects(sql`delete from audit_events where account_id = 'acc_kept'`.execute(queries), /never changed/)
    if (use().database.kind === 'postgres')
      await assert.rejects(sql`truncate audit_events`.execute(queries), /never changed/)
    else
      await assert.rejects(
        sql`insert or replace into audit_events (sequence, at_ms, account_id, actor, action, outcome)
          select sequence, at_ms, 'acc_other', actor, action, outcome from audit_events`.execute(queries),
        /never changed/,
      )
  })

  it('deletes older events', async () => {
    const at = (ageDays: number) => new Audit(use().database, { clock: () => Date.now() - ageDays * DAY_MS, onError })
    for (const ageDays of [399, 401])
      await at(ageDays).record({ accountId: 'acc_old', actor: 'account', action: 'sign_in', target: `${ageDays}` })
    await at(0).forgetOld()
    const { events } = await at(0).list({ accountId: 'acc_old', page: 1, limit: 10 })
    assert.deepEqual(
      events.map(({ target }) => target),
      ['399'],
    )
  })
})
