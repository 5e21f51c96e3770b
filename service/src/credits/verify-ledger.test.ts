import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import type { Reservation } from '../database/schema.ts'
import { Wallet } from './wallet.ts'

describeOnBothDatabases('the verification of the ledger', use => {
  async function findViolations() {
    return (await new Wallet(use().database, { instanceId: 'ins_test' }).verifyLedger()).violations
  }

  test('finds every kind of damage possible with direct database access, and none in a sound ledger', async () => {
    const { database } = use()
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const { accountId } = await new Accounts(database).create({ email: 'a@example.org', credits: 50 })
    const ids: string[] = []
    for (let i = 0; i < 6; i++) {
      const result = await wallet.reserve({ accountId, keyId: null, credits: 2, requestId: 'req', expiresAtMs: 1 })
      assert.ok(result.ok)
      ids.push(result.reservationId)
    }
    const [settled = '', released = '', expired = '', refunded = '', open = ''] = ids
    await wallet.settle(settled)
    await wallet.release(released, 'a test')
    await wallet.settle(refunded)
    await wallet.refund(refunded, { reason: 'a test', credits: 1 })
    assert.deepEqual(await findViolations(), [])

    const subjects = async () => (await findViolations()).map(each => [each.subject, each.what])
    const { queries } = database
    type Values = Partial<Pick<Reservation, 'state' | 'refunded' | 'credits' | 'resolved_at_ms'>>
    const damage: [id: string, harm: Values, heal: Values][] = [
      [settled, { state: 'released' }, { state: 'settled' }],
      [refunded, { refunded: 2 }, { refunded: 1 }],
      [open, { credits: 3 }, { credits: 2 }],
      [expired, { state: 'expired', resolved_at_ms: 1 }, { state: 'reserved', resolved_at_ms: null }],
    ]
    for (const [id, harm, heal] of damage) {
      const put = (values: Values) => queries.updateTable('reservations').set(values).where('id', '=', id).execute()
      await put(harm)
      assert.deepEqual(await subjects(), [[id, 'entries']])
      await put(heal)
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

  test('finds entries that were changed, removed or added while the triggers were disabled', async () => {
    const { database, location } = use()
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
        : [
            'alter table ledger_entries disable trigger user',
            'alter table ledger_entries drop constraint ledger_entries_reservation_id_fkey',
          ]
    for (const statement of triggers) await sql.raw(statement).execute(queries)

    const findSubjects = async () => (await findViolations()).filter(({ subject }) => subject !== 'acc_lonely')
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
    const reserve = find('reserve', settled.reservationId)
    const settle = find('settle', settled.reservationId)
    const refund = find('refund', refunded.reservationId)
    const put = (id: string, values: { credits?: number; account_id?: string }) =>
      queries.updateTable('ledger_entries').set(values).where('id', '=', id).execute()
    const remove = (id: string) => queries.deleteFrom('ledger_entries').where('id', '=', id).execute()
    const putCreditDay = (consumed: number) =>
      queries.updateTable('credit_days').set({ consumed }).where('account_id', '=', accountId).execute()
    const add = (entry: typeof grant) => {
      const { sequence: _counted, ...row } = entry // assigned by the database
      return queries.insertInto('ledger_entries').values(row).execute()
    }
    /** Violates the foreign key, which the service's own SQLite connection always enforces. */
    const addOfNoReservation = async (entry: typeof grant) => {
      const nowhere = { ...entry, reservation_id: 'res_nowhere' }
      if (database.kind === 'postgres') return add(nowhere)
      const { sequence: _counted, ...row } = nowhere
      const file = new DatabaseSync(path.join(location.dataDir, 'vitrine.db'), { enableForeignKeyConstraints: false })
      const names = Object.keys(row)
      const values = names.map(() => '?').join(', ')
      file.prepare(`insert into ledger_entries (${names.join(', ')}) values (${values})`).run(...Object.values(row))
      return file.close()
    }
    const of = (id: string, ...whats: string[]) => whats.map(what => `${id} ${what}`)
    const usage = 'usage of key none'
    const unsettled = [...of(accountId, 'reserved', 'consumed', usage), ...of(settled.reservationId, 'entries')]
    const otherSettled = of(otherId, 'reserved', 'consumed', usage)
    const unrefunded = [...of(accountId, 'spendable', 'consumed', usage), ...of(refunded.reservationId, 'entries')]
    const granted = of(accountId, 'granted', 'spendable')
    type Change = () => Promise<unknown>
    const cases: [name: string, harm: Change, heal: Change, expected: string[]][] = [
      ['a larger grant', () => put(grant.id, { credits: 1_000 }), () => put(grant.id, { credits: 50 }), granted],
      [
        'a settlement of another amount',
        () => put(settle.id, { credits: 1 }),
        () => put(settle.id, { credits: 2 }),
        unsettled,
      ],
      [
        'a settlement on another account',
        () => put(settle.id, { account_id: otherId }),
        () => put(settle.id, { account_id: accountId }),
        [...unsettled, ...otherSettled],
      ],
      ['no settlement', () => remove(settle.id), () => add(settle), unsettled],
      ['no refund', () => remove(refund.id), () => add(refund), unrefunded],
      ['invented usage', () => putCreditDay(4), () => putCreditDay(3), of(accountId, usage)],
      ['an invented grant', () => add({ ...grant, id: 'ent_more' }), () => remove('ent_more'), granted],
      [
        'a refund on another account',
        () => put(refund.id, { account_id: otherId }),
        () => put(refund.id, { account_id: accountId }),
        [accountId, otherId].flatMap(id => of(id, 'spendable', 'consumed', usage)),
      ],
      [
        'two entries of other amounts with the same sum',
        async () => [await put(reserve.id, { credits: 3 }), await put(settle.id, { credits: 1 })],
        async () => [await put(reserve.id, { credits: 2 }), await put(settle.id, { credits: 2 })],
        [...unsettled, ...of(accountId, 'spendable')],
      ],
      [
        'an entry of a reservation that is not there',
        () => addOfNoReservation({ ...reserve, id: 'ent_lonely' }),
        () => remove('ent_lonely'),
        [...of(accountId, 'spendable', 'reserved'), ...of('res_nowhere', 'reservation')],
      ],
    ]
    for (const [name, harm, heal, expected] of cases) {
      await harm()
      const found = (await findSubjects()).map(({ subject, what }) => `${subject} ${what}`)
      assert.deepEqual(found.sort(), [...expected].sort(), name)
      await heal()
      assert.deepEqual(await findSubjects(), before, name)
    }
  })
})
