import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import { newId } from '../database/new-id.ts'
import { UnknownReservationError } from './ledger.ts'
import { Wallet } from './wallet.ts'

const noCredits = {
  spendableCredits: 0,
  reservedCredits: 0,
  grantedCredits: 0,
  purchasedCredits: 0,
  consumedCredits: 0,
}

describeOnBothDatabases('the wallet', use => {
  const openWallet = (clock?: () => number) => {
    const { database } = use()
    return new Wallet(database, { instanceId: newId('ins'), ...(clock && { clock }) })
  }
  const openAccount = async (credits: number) => {
    const account = await new Accounts(use().database).create({ email: `${newId('acc')}@example.org`, credits })
    return account.accountId
  }
  const order = (accountId: string, credits = 1) => ({
    accountId,
    keyId: null,
    credits,
    requestId: 'req_1',
    expiresAtMs: Date.now() + 60_000,
  })
  const reserve = async (wallet: Wallet, accountId: string, credits = 1) => {
    const result = await wallet.reserve(order(accountId, credits))
    assert.ok(result.ok)
    return result.reservationId
  }

  test('reserved credits cannot be spent twice, and are spendable again once released', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(3)]
    const first = await wallet.reserve(order(accountId, 2))
    assert.deepEqual({ ok: first.ok, spendableCredits: first.spendableCredits }, { ok: true, spendableCredits: 1 })
    assert.deepEqual(await wallet.reserve(order(accountId, 2)), { ok: false, spendableCredits: 1 })
    assert.ok(first.ok)
    assert.deepEqual(await wallet.release(first.reservationId, 'a test'), {
      released: true,
      state: 'released',
      spendableCredits: 3,
    })
    assert.deepEqual(await wallet.balance(accountId), { ...noCredits, spendableCredits: 3, grantedCredits: 3 })
  })

  test('a settled reservation is consumed once; later settlements and releases change nothing and say so', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(5)]
    const id = await reserve(wallet, accountId, 2)
    assert.deepEqual(await wallet.settle(id), { settled: true, state: 'settled', spendableCredits: 3 })
    assert.deepEqual(await wallet.settle(id), { settled: false, state: 'settled', spendableCredits: 3 })
    assert.deepEqual(await wallet.release(id, 'late'), { released: false, state: 'settled', spendableCredits: 3 })
    const other = await reserve(wallet, accountId)
    await wallet.release(other, 'a test')
    assert.deepEqual(await wallet.settle(other), { settled: false, state: 'released', spendableCredits: 3 })
    assert.equal((await wallet.balance(accountId)).consumedCredits, 2)
  })

  test('concurrent reservations are decided one by one in order, each by the remaining credits', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(5)]
    const results = await Promise.all([3, 4, 1, 2, 1, 1].map(credits => wallet.reserve(order(accountId, credits))))
    assert.deepEqual(
      results.map(({ ok, spendableCredits }) => ok && spendableCredits),
      [2, false, 1, false, 0, false],
    )
    assert.equal((await wallet.balance(accountId)).reservedCredits, 5)
  })

  test('an operation that the database refuses does not fail others of its group', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(9)]
    const open = await reserve(wallet, accountId, 2)
    const results = await Promise.allSettled([
      wallet.reserve(order(accountId)),
      wallet.reserve(order(accountId)),
      wallet.reserve({ ...order(accountId), keyId: 'key_none' }),
      wallet.settle(open),
      wallet.reserve(order(accountId)),
    ])
    assert.deepEqual(
      results.map(result => (result.status === 'fulfilled' ? true : classifyDatabaseError(result.reason))),
      [true, true, 'foreign-key', true, true],
    )
    const { spendableCredits, reservedCredits, consumedCredits } = await wallet.balance(accountId)
    assert.deepEqual(
      { spendableCredits, reservedCredits, consumedCredits },
      {
        spendableCredits: 4,
        reservedCredits: 3,
        consumedCredits: 2,
      },
    )
  })

  test('each of several concurrent settlements succeeds or fails with its statement alongside', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(9)]
    const { database } = use()
    const accounts = new Accounts(database)
    const makeOperator = (accountId: string) =>
      database.queries.updateTable('accounts').set({ role: 'operator' }).where('id', '=', accountId).compile()
    const others = await Promise.all(Array.from({ length: 3 }, () => openAccount(0)))
    const [first = '', second = '', third = ''] = others
    const [plain, kept, lost, ended, last] = [
      await reserve(wallet, accountId),
      await reserve(wallet, accountId),
      await reserve(wallet, accountId),
      await reserve(wallet, accountId),
      await reserve(wallet, accountId),
    ]
    await wallet.release(ended, 'a test')
    const results = await Promise.all([
      wallet.settle(plain),
      wallet.settle(kept, makeOperator(first)),
      wallet.settle(lost, makeOperator('acc_none')),
      wallet.settle(ended, makeOperator(second)),
      wallet.settle(last, makeOperator(third)),
    ])
    assert.deepEqual(
      results.map(({ settled, state }) => [settled, state]),
      [
        [true, 'settled'],
        [true, 'settled'],
        [false, 'reserved'],
        [false, 'released'],
        [true, 'settled'],
      ],
    )
    const roles = await Promise.all(others.map(async other => (await accounts.get(other))?.role === 'operator'))
    assert.deepEqual(roles, [true, false, true])
    const { reservedCredits, consumedCredits } = await wallet.balance(accountId)
    assert.deepEqual({ reservedCredits, consumedCredits }, { reservedCredits: 1, consumedCredits: 3 })
  })

  test('of fifty concurrent settlements and fifty releases of one reservation, exactly one wins', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(1)]
    const id = await reserve(wallet, accountId)
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? wallet.settle(id) : wallet.release(id, 'a race'))),
    )
    assert.equal(results.filter(result => ('settled' in result ? result.settled : result.released)).length, 1)
    const { spendableCredits, consumedCredits, reservedCredits } = await wallet.balance(accountId)
    assert.equal(spendableCredits + consumedCredits, 1)
    assert.equal(reservedCredits, 0)
  })

  test('a statement alongside a settlement is committed or rolled back with it', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(2)]
    const { database } = use()
    const id = await reserve(wallet, accountId)
    const makeOperator = (accountId: string) =>
      database.queries.updateTable('accounts').set({ role: 'operator' }).where('id', '=', accountId).compile()
    assert.deepEqual(await wallet.settle(id, makeOperator('acc_none')), {
      settled: false,
      state: 'reserved',
      spendableCredits: 1,
    })
    const { reservedCredits, consumedCredits } = await wallet.balance(accountId)
    assert.deepEqual({ reservedCredits, consumedCredits }, { reservedCredits: 1, consumedCredits: 0 })
    assert.equal((await wallet.settle(id, makeOperator(accountId))).settled, true)
    assert.equal((await new Accounts(database).get(accountId))?.role, 'operator')
    // Already settled, so the second statement alongside is not executed.
    const other = await openAccount(0)
    assert.equal((await wallet.settle(id, makeOperator(other))).settled, false)
    assert.notEqual((await new Accounts(database).get(other))?.role, 'operator')
  })

  test('a payment with many concurrent confirmations is credited once', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(0)]
    const payment = { accountId, credits: 100, reason: '100 credits', externalId: `pay ${accountId}` }
    const results = await Promise.all(Array.from({ length: 20 }, () => wallet.purchase(payment)))
    assert.equal(results.filter(result => result.purchased).length, 1)
    assert.equal((await wallet.balance(accountId)).purchasedCredits, 100)
    assert.deepEqual(await wallet.purchase(payment), { purchased: false, spendableCredits: 100 })
  })

  test('grants add up, and one with an external id is idempotent', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(1)]
    await wallet.grant({ accountId, credits: 4, reason: 'a gift' })
    const gift = { accountId, credits: 5, reason: 'a gift', externalId: `gift ${accountId}` }
    assert.deepEqual(await wallet.grant(gift), { granted: true, spendableCredits: 10 })
    assert.deepEqual(await wallet.grant(gift), { granted: false, spendableCredits: 10 })
  })

  test('a refund gives back at most what was settled, to the account that paid', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(5)]
    const id = await reserve(wallet, accountId, 4)
    assert.equal((await wallet.refund(id, { reason: 'too early' })).refundedCredits, 0)
    await wallet.settle(id)
    assert.deepEqual(await wallet.refund(id, { reason: 'one picture', credits: 1 }), {
      refundedCredits: 1,
      spendableCredits: 2,
    })
    assert.equal((await wallet.refund(id, { reason: 'too much', credits: 4 })).refundedCredits, 0)
    const both = await Promise.all([wallet.refund(id, { reason: 'rest' }), wallet.refund(id, { reason: 'rest' })])
    assert.deepEqual(
      both.map(result => result.refundedCredits).sort((a, b) => a - b),
      [0, 3],
    )
    assert.deepEqual(await wallet.balance(accountId), { ...noCredits, spendableCredits: 5, grantedCredits: 5 })
  })

  test('amounts that are not whole credits are refused', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(5)]
    for (const credits of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      await assert.rejects(wallet.reserve(order(accountId, credits)), RangeError)
      await assert.rejects(wallet.grant({ accountId, credits, reason: 'wrong' }), RangeError)
    }
    assert.equal((await wallet.balance(accountId)).spendableCredits, 5)
  })

  test('an account or a reservation that does not exist is an error, not a balance of zero', async () => {
    const wallet = openWallet()
    await assert.rejects(wallet.balance('acc_none'), RangeError)
    await assert.rejects(wallet.reserve(order('acc_none')), RangeError)
    await assert.rejects(wallet.settle('res_none'), UnknownReservationError)
    await assert.rejects(wallet.refund('res_none', { reason: 'none' }), UnknownReservationError)
  })

  test('movements lists the account’s entries page by page, newest first', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(5)]
    const id = await reserve(wallet, accountId, 2)
    await wallet.settle(id)
    const first = await wallet.movements(accountId, { page: 1, limit: 2 })
    assert.deepEqual(
      first.entries.map(entry => [entry.kind, entry.credits]),
      [
        ['settle', 2],
        ['reserve', 2],
      ],
    )
    assert.equal(first.total, 3)
    const second = await wallet.movements(accountId, { page: 2, limit: 2 })
    assert.deepEqual(
      second.entries.map(entry => [entry.kind, entry.debit_book, entry.credit_book]),
      [['grant', 'granted', 'spendable']],
    )
  })

  test('the sweeper releases expired reservations and leaves the rest', async () => {
    const [wallet, accountId] = [openWallet(), await openAccount(3)]
    const result = await wallet.reserve({ ...order(accountId, 2), expiresAtMs: 1_000_000 })
    assert.ok(result.ok)
    const fresh = await reserve(wallet, accountId)
    assert.equal((await wallet.sweep(999_999)).expired, 0)
    assert.equal((await wallet.sweep(1_000_000)).expired, 1)
    assert.deepEqual(await wallet.settle(result.reservationId), {
      settled: false,
      state: 'expired',
      spendableCredits: 2,
    })
    assert.equal((await wallet.settle(fresh)).settled, true)
  })

  test('the database refuses a negative balance from every client', async () => {
    const { database } = use()
    const accountId = await openAccount(1)
    for (const books of [{ spendable: -1, reserved: 2 }, { spendable: 2 }]) {
      const change = database.queries.updateTable('wallets').set(books).where('account_id', '=', accountId)
      await assert.rejects(change.execute(), error => classifyDatabaseError(error) === 'check')
    }
  })

  test('the database refuses to change, replace or delete an entry, and to delete a wallet', async () => {
    const { queries, kind } = use().database
    const [wallet, accountId] = [openWallet(), await openAccount(1)]
    await wallet.settle(await reserve(wallet, accountId))
    await wallet.purchase({ accountId, credits: 1, reason: 'a test', externalId: newId('pay') })
    const readAll = () => queries.selectFrom('ledger_entries').selectAll().orderBy('sequence').execute()
    const before = await readAll()
    const find = (kind: string) => {
      const found = before.find(entry => entry.account_id === accountId && entry.kind === kind)
      assert.ok(found)
      const { sequence, ...entry } = found
      return { sequence, entry }
    }
    const { sequence, entry } = find('grant')
    const [settlement, payment] = [find('settle').entry, find('purchase').entry]
    const attempts = [
      queries.updateTable('ledger_entries').set({ credits: 1_000 }).where('account_id', '=', accountId),
      queries.updateTable('ledger_entries').set({ reason: 'another' }),
      queries.deleteFrom('ledger_entries').where('account_id', '=', accountId),
      queries.deleteFrom('ledger_entries'),
      queries.deleteFrom('wallets').where('account_id', '=', accountId),
      queries.insertInto('ledger_entries').values(entry), // its id is already used
      queries
        .insertInto('ledger_entries')
        .values(entry)
        .onConflict(taken => taken.column('id').doUpdateSet({ credits: 1_000 })),
      ...(kind === 'sqlite'
        ? [
            queries.replaceInto('ledger_entries').values({ ...entry, sequence, credits: 1_000 }),
            queries.replaceInto('ledger_entries').values({ ...entry, id: 'another', sequence }),
            queries.replaceInto('ledger_entries').values({ ...settlement, id: 'another' }),
            queries.replaceInto('ledger_entries').values({ ...payment, id: 'another' }),
          ]
        : // Truncating a referenced table requires truncating the entries too.
          ['ledger_entries', 'reservations cascade', 'wallets cascade'].map(tables => ({
            execute: () => sql.raw(`truncate ${tables}`).execute(queries),
          }))),
    ]
    for (const attempt of attempts) {
      await assert.rejects(attempt.execute(), error => ['check', 'unique'].includes(classifyDatabaseError(error)))
    }
    assert.deepEqual(await readAll(), before)
  })

  test('a start releases the reservations of dead processes, and leaves settled ones', async () => {
    const accountId = await openAccount(9)
    const dead = openWallet()
    await reserve(dead, accountId, 2)
    await dead.settle(await reserve(dead, accountId, 3))
    const next = openWallet()
    const own = await reserve(next, accountId, 1)
    assert.ok((await next.recoverAtStart()) >= 1)
    assert.deepEqual(await next.balance(accountId), {
      ...noCredits,
      spendableCredits: 5,
      reservedCredits: 1,
      grantedCredits: 9,
      consumedCredits: 3,
    })
    assert.equal((await next.settle(own)).settled, true)
  })

  test('after all tests the books agree with the entries', async () => {
    const report = await openWallet().verifyLedger()
    assert.deepEqual(report.violations, [])
    assert.ok(report.accounts > 10 && report.entries > 30)
  })
})
