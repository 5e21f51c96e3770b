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

  test('finds entries that somebody changed, removed or added, once the triggers are out of the way', async () => {
    const { database } = use()
    const { queries } = database
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const open = (email: string) => new Accounts(database).create({ email, credits: 50 })
    const [{ accountId }, { accountId: otherId }] = [await open('c@example.org'), await open('d@example.org')]
    const order = { accountId, keyId: null, credits: 2, requestId: 'req', expiresAtMs: 1 }
    const [settled, refunded] = [await wallet.reserve(order), await wallet.reserve(order)]
    assert.ok(settled.ok && refunded.ok)
    await wallet.settle(settled.reservationId)
    await wallet.settle(refunded.reservationId)
    await wallet.refund(refunded.reservationId, { reason: 'a test', credits: 1 })
    const triggers =
      database.kind === 'sqlite'
        ? ['no_update', 'no_delete', 'no_replace', 'credit_days'].map(each => `drop trigger ledger_entries_${each}`)
        : ['alter table ledger_entries disable trigger user']
    for (const statement of triggers) await sql.raw(statement).execute(queries)

    const findSubjects = async () =>
      (await wallet.verifyLedger()).violations.filter(({ subject }) => subject !== 'acc_lonely')
    const before = await findSubjects()
    const entries = await queries.selectFrom('ledger_entries').selectAll().execute()
    const find = (kind: string, reservationId: string | null) => {
      const entry = entries.find(
        each => each.account_id === accountId && each.kind === kind && each.reservation_id === reservationId,
      )
      assert.ok(entry)
      return entry
    }
    const grant = find('grant', null)
    const settle = find('settle', settled.reservationId)
    const refund = find('refund', refunded.reservationId)
    const put = (id: string, values: { credits?: number; account_id?: string }) =>
      queries.updateTable('ledger_entries').set(values).where('id', '=', id).execute()
    const remove = (id: string) => queries.deleteFrom('ledger_entries').where('id', '=', id).execute()
    const putCreditDay = (consumed: number) =>
      queries.updateTable('credit_days').set({ consumed }).where('account_id', '=', accountId).execute()
    const add = (entry: typeof grant) => {
      const { sequence: _counted, ...row } = entry // the database counts
      return queries.insertInto('ledger_entries').values(row).execute()
    }
    const [books, resolution, usage] = [
      [accountId, 'consumed'],
      [settled.reservationId, 'entries'],
      [accountId, 'usage of key none'],
    ]
    const cases: [name: string, harm: () => Promise<unknown>, heal: () => Promise<unknown>, subjects: string[][]][] = [
      [
        'a larger grant',
        () => put(grant.id, { credits: 1_000 }),
        () => put(grant.id, { credits: 50 }),
        [
          [accountId, 'granted'],
          [accountId, 'spendable'],
        ],
      ],
      [
        'a settlement of another amount',
        () => put(settle.id, { credits: 1 }),
        () => put(settle.id, { credits: 2 }),
        [[accountId, 'reserved'], books, resolution, usage],
      ],
      [
        'a settlement on another account',
        () => put(settle.id, { account_id: otherId }),
        () => put(settle.id, { account_id: accountId }),
        [
          [accountId, 'reserved'],
          books,
          [otherId, 'reserved'],
          [otherId, 'consumed'],
          resolution,
          usage,
          [otherId, 'usage of key none'],
        ],
      ],
      [
        'no settlement',
        () => remove(settle.id),
        () => add(settle),
        [[accountId, 'reserved'], books, resolution, usage],
      ],
      [
        'no refund',
        () => remove(refund.id),
        () => add(refund),
        [[accountId, 'spendable'], books, [refunded.reservationId, 'entries'], usage],
      ],
      ['usage that nobody had', () => putCreditDay(4), () => putCreditDay(3), [usage]],
      [
        'a grant that nobody made',
        () => add({ ...grant, id: 'ent_more' }),
        () => remove('ent_more'),
        [
          [accountId, 'granted'],
          [accountId, 'spendable'],
        ],
      ],
    ]
    const sorted = (pairs: readonly (readonly string[])[]) => pairs.map(pair => pair.join(' ')).sort()
    for (const [name, harm, heal, subjects] of cases) {
      await harm()
      assert.deepEqual(
        sorted((await findSubjects()).map(({ subject, what }) => [subject, what])),
        sorted(subjects),
        name,
      )
      await heal()
      assert.deepEqual(await findSubjects(), before, name)
    }
  })
})
