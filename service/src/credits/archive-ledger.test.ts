import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describeOnBothDatabases, type TestDatabase } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { listMovements } from '../dashboard/movements.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { archiveLedger, LedgerArchiveRefusedError, objectKeyOf } from './archive-ledger.ts'
import { parseMonth } from './closed-months.ts'
import { readCreditDays } from './credit-days.ts'
import { UnknownReservationError } from './ledger.ts'
import { verifyArchives } from './verify-archives.ts'
import { Wallet } from './wallet.ts'

const monthMs = (month: string): number => parseMonth(month) ?? assert.fail(`${month} is no month`)
const HOUR_MS = 3_600_000
const nowMs = monthMs('2026-06') + 100 * HOUR_MS

/** Mockups of three months with every possible outcome, including changes in the following month. */
class Shop {
  readonly wallet: Wallet
  readonly accountId: string
  /** The service's clock. */
  timeMs = monthMs('2026-01') + HOUR_MS

  private constructor({ database }: TestDatabase, accountId: string) {
    this.accountId = accountId
    this.wallet = new Wallet(database, { instanceId: 'ins_test', clock: () => this.timeMs })
  }

  static async open(created: TestDatabase, email: string): Promise<Shop> {
    const { accountId } = await new Accounts(created.database).create({ email })
    const shop = new Shop(created, accountId)
    await shop.wallet.grant({ accountId, credits: 100, reason: 'a gift' })
    return shop
  }

  async reserve(credits = 1): Promise<string> {
    const order = { accountId: this.accountId, keyId: null, credits, requestId: 'req', expiresAtMs: this.timeMs + 1 }
    const reserved = await this.wallet.reserve(order)
    assert.ok(reserved.ok)
    return reserved.reservationId
  }

  async mockup(credits = 1): Promise<string> {
    const id = await this.reserve(credits)
    await this.wallet.settle(id)
    return id
  }

  /** A condensed year of sales. Returns the mockup that is refunded in April. */
  async work(): Promise<{ readonly refundedLater: string }> {
    const { wallet, accountId } = this
    await wallet.purchase({ accountId, credits: 50, reason: 'a pack', externalId: `pay_${accountId}` })
    for (let i = 0; i < 5; i++) await this.mockup()
    await wallet.release(await this.reserve(3), 'it failed')
    await wallet.refund(await this.mockup(4), { reason: 'one was wrong', credits: 1 })
    const refundedLater = await this.mockup(2)
    this.timeMs = monthMs('2026-02') - 1
    const overMidnight = await this.reserve(7)
    this.timeMs = monthMs('2026-02') + 1
    await wallet.settle(overMidnight)
    this.timeMs = monthMs('2026-03') + HOUR_MS
    for (let i = 0; i < 3; i++) await this.mockup()
    await wallet.grant({ accountId, credits: 5, reason: 'sorry' })
    this.timeMs = monthMs('2026-04') + HOUR_MS
    await wallet.refund(refundedLater, { reason: 'late', credits: 2 })
    await this.mockup()
    await this.reserve()
    return { refundedLater }
  }
}

describeOnBothDatabases('the archive of the ledger', use => {
  /** Shared by all tests, like the database: each also verifies the archives of those before it. */
  const openStorage = () => new DiskStorage(path.join(use().location.dataDir, 'objects'))
  const archive = (storage: ObjectStorage, before: string, partSize?: number) =>
    archiveLedger(use().database, storage, {
      beforeMs: monthMs(before),
      nowMs,
      ...(partSize === undefined ? {} : { partSize }),
    })
  const countOf = async (table: 'ledger_entries' | 'reservations', accountId: string) => {
    const { count } = await use()
      .database.queries.selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return count
  }
  const assertVerifies = async (storage: ObjectStorage) => {
    const { database } = use()
    assert.deepEqual((await new Wallet(database, { instanceId: 'ins_test' }).verifyLedger()).violations, [])
    assert.deepEqual(await verifyArchives(database.queries, storage), [])
  }

  test('closed months leave the tables with whole reservations, and the balance stays', async () => {
    const storage = openStorage()
    const shop = await Shop.open(use(), 'whole@example.org')
    const { refundedLater } = await shop.work()
    const { accountId, wallet } = shop
    const balance = await wallet.balance(accountId)
    const entries = await countOf('ledger_entries', accountId)
    const readUsage = () =>
      readCreditDays(use().database.queries, { accountId, keyId: null }, '2026-01-01', '2026-12-31')
    const usage = await readUsage()

    // January: a gift, a pack, 5 mockups, a release, a refund. Two reservations end later.
    assert.deepEqual(await archive(storage, '2026-02'), { accounts: 1, parts: 1, entries: 2 + 5 * 2 + 2 + 3 })
    await assertVerifies(storage)
    assert.deepEqual(await wallet.balance(accountId), balance)
    assert.equal((await wallet.refund(refundedLater, { reason: 'nothing is left', credits: 1 })).refundedCredits, 0)

    // The mockup that spans midnight, then March.
    assert.deepEqual(await archive(storage, '2026-04'), { accounts: 1, parts: 2, entries: 2 + 3 * 2 + 1 })
    assert.deepEqual(await archive(storage, '2026-04'), { accounts: 0, parts: 0, entries: 0 })
    await assertVerifies(storage)
    assert.equal(await countOf('ledger_entries', accountId), entries - 17 - 9)
    await assert.rejects(wallet.refund(accountId, { reason: 'none' }), UnknownReservationError)

    // The mockup that is refunded in April, and April.
    assert.deepEqual(await archive(storage, '2026-05'), { accounts: 1, parts: 1, entries: 3 + 2 })
    assert.deepEqual([await countOf('ledger_entries', accountId), await countOf('reservations', accountId)], [1, 1])
    await assertVerifies(storage)
    assert.deepEqual(await wallet.balance(accountId), balance)
    assert.equal((await wallet.verifyLedger()).archivedEntries, entries - 1)
    assert.deepEqual(await readUsage(), usage)
  })

  test('a file has the entries in order, each reservation with the entry that created it', async () => {
    const storage = openStorage()
    const shop = await Shop.open(use(), 'file@example.org')
    await shop.work()
    const { queries } = use().database
    const before = await queries
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', shop.accountId)
      .where('created_at_ms', '<', monthMs('2026-04'))
      .orderBy('sequence')
      .execute()
    await archive(storage, '2026-05', 2)
    const parts = await queries
      .selectFrom('sealed_balances')
      .selectAll()
      .where('account_id', '=', shop.accountId)
      .orderBy('part')
      .execute()
    assert.ok(parts.length > 5, 'small parts')
    const lines: Record<string, unknown>[] = []
    for (const part of parts) {
      assert.match(objectKeyOf(part), new RegExp(`^ledger/${shop.accountId}/2026-0[1-4]-${part.part}-`))
      const file = await storage.get(objectKeyOf(part))
      assert.ok(file)
      const text = (await promisify(gunzip)(file)).toString()
      const ofPart = text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      const places = ofPart.map(({ sequence }) => sequence)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      lines.push(...ofPart)
    }
    const archived = new Map(lines.map(({ reservation: _with, ...entry }) => [entry['id'], entry]))
    for (const entry of before) assert.deepEqual(archived.get(entry.id), entry)
    for (const { kind, reservation, reservation_id } of lines) {
      assert.equal(reservation !== undefined, kind === 'reserve', String(reservation_id))
    }
    await assertVerifies(storage)
  })

  test('a repeated call resumes after an interruption at any point, and nothing is lost or duplicated', async () => {
    const storage = openStorage()
    const { database } = use()
    const shop = await Shop.open(use(), 'interrupted@example.org')
    await shop.work()
    const balance = await shop.wallet.balance(shop.accountId)
    const entries = await countOf('ledger_entries', shop.accountId)
    const stop = () => Promise.reject(new Error('stopped here'))
    const stopped: Partial<ObjectStorage>[] = [
      { put: stop },
      { put: (key, content) => storage.put(key, content).then(stop) },
      { get: stop },
    ]
    for (const broken of stopped) {
      const storageOf: ObjectStorage = {
        put: (key, content) => storage.put(key, content),
        get: key => storage.get(key),
        open: key => storage.open(key),
        delete: key => storage.delete(key),
        list: prefix => storage.list(prefix),
        removeUnfinished: timeMs => storage.removeUnfinished(timeMs),
        ...broken,
      }
      await assert.rejects(archive(storageOf, '2026-05', 3), /stopped here/)
      assert.equal(await countOf('ledger_entries', shop.accountId), entries)
    }
    // Inside the transaction, after each of its kinds of statement.
    const places = [
      ['insert', 'sealed_balances'],
      ['insert', 'sealed_credits'],
      ['delete', 'ledger_entries'],
      ['delete', 'reservations'],
    ] as const
    if (database.kind === 'postgres')
      await sql`create function stop_here() returns trigger language plpgsql as
        'begin raise exception ''stopped here''; end'`.execute(database.queries)
    for (const [verb, table] of places) {
      const body =
        database.kind === 'sqlite' ? `begin select raise(abort, 'stopped here'); end` : 'execute function stop_here()'
      const remove = database.kind === 'sqlite' ? 'drop trigger stop_here' : `drop trigger stop_here on ${table}`
      await sql.raw(`create trigger stop_here after ${verb} on ${table} for each row ${body}`).execute(database.queries)
      await assert.rejects(archive(storage, '2026-05', 3), /stopped here/)
      await sql.raw(remove).execute(database.queries)
      await assertVerifies(storage)
      assert.deepEqual(await shop.wallet.balance(shop.accountId), balance)
    }
    const done = await archive(storage, '2026-05', 3)
    await assertVerifies(storage)
    assert.equal((await countOf('ledger_entries', shop.accountId)) + done.entries, entries)
    assert.deepEqual(await shop.wallet.balance(shop.accountId), balance)
  })

  test('two concurrent archives and the running service lose and duplicate nothing', async () => {
    const storage = openStorage()
    const shop = await Shop.open(use(), 'busy@example.org')
    const mockups: string[] = []
    for (let i = 0; i < 40; i++) mockups.push(await shop.mockup(2))
    const entries = await countOf('ledger_entries', shop.accountId)
    shop.timeMs = nowMs
    const refund = (id: string) =>
      shop.wallet.refund(id, { reason: 'late', credits: 1 }).then(
        ({ refundedCredits }) => refundedCredits,
        (error: unknown) => {
          assert.ok(error instanceof UnknownReservationError, String(error))
          return 0
        },
      )
    const [one, other, made, ...refunded] = await Promise.all([
      archive(storage, '2026-02', 4),
      archive(storage, '2026-02', 4),
      shop.mockup(3),
      ...mockups.filter((_, i) => i % 3 === 0).map(refund),
    ])
    assert.ok(made)
    const refunds = refunded.filter(credits => credits > 0).length
    const left = await countOf('ledger_entries', shop.accountId)
    assert.equal(one.entries + other.entries + left, entries + 2 + refunds)
    assert.equal((await shop.wallet.balance(shop.accountId)).spendableCredits, 100 - 80 - 3 + refunds)
    await assertVerifies(storage)
  })

  test('movements begin with the opening balance, and a payment of an archived month counts once', async () => {
    const storage = openStorage()
    const { database } = use()
    const shop = await Shop.open(use(), 'opening@example.org')
    await shop.work()
    const { accountId, wallet } = shop
    const list = async (order: 'newest' | 'oldest', show: 'all' | 'received' | 'spent' | 'returned' = 'all') =>
      (await listMovements(database, accountId, { show, order })).movements
    const before = await list('newest')
    await archive(storage, '2026-03')
    const newest = await list('newest')
    const opening = newest.at(-1)
    assert.deepEqual([opening?.kind, opening?.at, opening?.key_name], ['opening', '2026-03-01T00:00:00.000Z', null])
    const sum = (movements: typeof newest) => movements.reduce((credits, each) => credits + each.credits, 0)
    assert.equal(sum(newest), sum(before))
    assert.deepEqual(await list('oldest'), newest.toReversed())
    for (const show of ['received', 'spent', 'returned'] as const) {
      assert.ok((await list('newest', show)).every(({ kind }) => kind !== 'opening'))
    }

    const payment = { accountId, credits: 50, reason: 'a pack', externalId: `pay_${accountId}` }
    const { spendableCredits } = await wallet.balance(accountId)
    assert.deepEqual(await wallet.purchase(payment), { purchased: false, spendableCredits })
    const entry = {
      account_id: accountId,
      kind: 'purchase',
      debit_book: 'purchased',
      credit_book: 'spendable',
    } as const
    const insert = database.queries
      .insertInto('ledger_entries')
      .values({ ...entry, id: 'ent_again', credits: 50, external_id: payment.externalId, created_at_ms: nowMs })
    await assert.rejects(insert.execute(), /sealed/)
    await assertVerifies(storage)
  })

  test('unsealed entries cannot be deleted, and sealed balances cannot be changed', async () => {
    const storage = openStorage()
    const { queries } = use().database
    const shop = await Shop.open(use(), 'refused@example.org')
    await shop.work()
    const remove = () => queries.deleteFrom('ledger_entries').where('account_id', '=', shop.accountId).execute()
    await assert.rejects(remove(), /never changed/)
    await archive(storage, '2026-02')
    await assert.rejects(remove(), /never changed/, 'the entries of February')
    const ofShop = { account_id: shop.accountId }
    await assert.rejects(queries.updateTable('sealed_balances').set({ consumed: 0 }).execute(), /never changed/)
    for (const table of ['sealed_balances', 'sealed_credits', 'sealed_external_ids'] as const) {
      const deletion = queries.deleteFrom(table).where('account_id', '=', ofShop.account_id).execute()
      await assert.rejects(deletion, /never changed/)
    }
  })

  test('damage to files and sealed balances is reported, and a damaged ledger is not archived', async () => {
    const storage = openStorage()
    const { database } = use()
    const { queries } = database
    const shop = await Shop.open(use(), 'damage@example.org')
    await shop.work()
    await archive(storage, '2026-04', 4)
    const parts = await queries
      .selectFrom('sealed_balances')
      .selectAll()
      .where('account_id', '=', shop.accountId)
      .orderBy('part')
      .execute()
    const [, second, third] = parts
    assert.ok(second && third)
    const found = async () =>
      (await verifyArchives(queries, storage)).map(({ subject, what, received }) => [subject, what, received])
    const key = objectKeyOf(second)
    const file = await storage.get(key)
    assert.ok(file)
    const subject = `${shop.accountId} part 2`
    await storage.delete(key)
    assert.deepEqual(await found(), [[subject, 'archive', 'no file']])
    await storage.put(key, file.subarray(0, file.length - 9))
    assert.deepEqual(await found(), [[subject, 'archive', 'a file that is broken']])
    const text = (await promisify(gunzip)(file)).toString()
    await storage.put(key, gzipSync(text.replace('"credits":1,', '"credits":2,')))
    assert.deepEqual(
      (await found()).map(([, what]) => what),
      ['archive'],
    )
    await storage.put(key, file)
    assert.deepEqual(await found(), [])

    const off =
      database.kind === 'sqlite'
        ? [
            'drop trigger sealed_balances_no_update',
            'drop trigger sealed_balances_no_delete',
            'drop trigger sealed_credits_no_update',
          ]
        : ['alter table sealed_balances disable trigger user', 'alter table sealed_credits disable trigger user']
    for (const statement of off) await sql.raw(statement).execute(queries)
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const violations = async () => (await wallet.verifyLedger()).violations.map(({ subject: of, what }) => [of, what])
    const ofShop = queries.updateTable('sealed_balances').where('account_id', '=', shop.accountId)
    const last = parts.length

    const move = (by: number) =>
      ofShop
        .set({ granted: sql`granted + ${by}`, spendable: sql`spendable + ${by}` })
        .where('part', '=', last)
        .execute()
    await move(5)
    assert.deepEqual(await violations(), [
      [shop.accountId, 'granted'],
      [shop.accountId, 'spendable'],
    ])
    assert.deepEqual(
      (await found()).map(([, what]) => what),
      ['granted', 'spendable'],
    )
    await assert.rejects(archive(storage, '2026-05'), LedgerArchiveRefusedError)
    await move(-5)

    const consume = (by: number) =>
      queries
        .updateTable('sealed_credits')
        .set({ consumed: sql`consumed + ${by}` })
        .where('account_id', '=', shop.accountId)
        .where('part', '=', last)
        .execute()
    await consume(1)
    assert.deepEqual(await violations(), [
      [shop.accountId, 'sealed balance'],
      [shop.accountId, 'usage of key none'],
    ])
    await consume(-1)

    await queries.deleteFrom('sealed_balances').where('account_id', '=', shop.accountId).where('part', '=', 2).execute()
    assert.deepEqual(await violations(), [[shop.accountId, 'sealed balance']])
    await queries.insertInto('sealed_balances').values(second).execute()
    assert.deepEqual(await violations(), [])
  })
})
