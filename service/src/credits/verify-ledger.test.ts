import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { Wallet } from './wallet.ts'

describeOnBothDatabases('the check of the ledger', use => {
  test('finds every kind of damage that somebody could do with direct access, and nothing before', async () => {
    const { database } = use()
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const { accountId } = await new Accounts(database).create({ email: 'a@example.org', credits: 50 })
    const ids: string[] = []
    for (let i = 0; i < 6; i++) {
      const result = await wallet.reserve({ accountId, keyId: null, credits: 2, requestId: 'req', expiresAtMs: 1 })
      assert.ok(result.ok)
      ids.push(result.reservationId)
    }
    const [settled = '', released = '', doubled = '', refunded = '', open = ''] = ids
    await wallet.settle(settled)
    await wallet.release(released, 'a test')
    await wallet.settle(refunded)
    await wallet.refund(refunded, { reason: 'a test', credits: 1 })
    assert.deepEqual((await wallet.verifyLedger()).violations, [])

    const subjects = async () => (await wallet.verifyLedger()).violations.map(each => [each.subject, each.what])
    const { queries } = database
    const damage: [() => Promise<unknown>, () => Promise<unknown>, string[]][] = [
      [
        () => queries.updateTable('reservations').set({ state: 'released' }).where('id', '=', settled).execute(),
        () => queries.updateTable('reservations').set({ state: 'settled' }).where('id', '=', settled).execute(),
        [settled, 'entries'],
      ],
      [
        () => queries.updateTable('reservations').set({ refunded: 2 }).where('id', '=', refunded).execute(),
        () => queries.updateTable('reservations').set({ refunded: 1 }).where('id', '=', refunded).execute(),
        [refunded, 'entries'],
      ],
      [
        () => queries.updateTable('reservations').set({ credits: 3 }).where('id', '=', open).execute(),
        () => queries.updateTable('reservations').set({ credits: 2 }).where('id', '=', open).execute(),
        [open, 'entries'],
      ],
      [
        () =>
          queries
            .updateTable('reservations')
            .set({ state: 'expired', resolved_at_ms: 1 })
            .where('id', '=', doubled)
            .execute(),
        () =>
          queries
            .updateTable('reservations')
            .set({ state: 'reserved', resolved_at_ms: null })
            .where('id', '=', doubled)
            .execute(),
        [doubled, 'entries'],
      ],
    ]
    for (const [harm, heal, expected] of damage) {
      await harm()
      assert.deepEqual(await subjects(), [expected])
      await heal()
      assert.deepEqual(await subjects(), [])
    }

    await queries.updateTable('wallets').set({ spendable: sql`spendable + 1`, consumed: sql`consumed - 1` }).execute()
    assert.deepEqual(await subjects(), [
      [accountId, 'spendable'],
      [accountId, 'consumed'],
    ])
    await queries.updateTable('wallets').set({ spendable: sql`spendable - 1`, consumed: sql`consumed + 1` }).execute()

    const lonely = { id: 'acc_lonely', email: 'b@example.org', email_key: 'b@example.org', created_at_ms: 1 }
    await queries
      .insertInto('accounts')
      .values({ ...lonely, role: 'customer' })
      .execute()
    assert.deepEqual(await subjects(), [['acc_lonely', 'wallet']])
  })
})
