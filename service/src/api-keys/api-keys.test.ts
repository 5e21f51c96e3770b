import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { openDatabase } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { buildApiKey } from './api-key-format.ts'
import { ApiKeys } from './api-keys.ts'
import { InvalidKeyLimitError, InvalidKeyNameError } from './key-limits.ts'

const CLIENT = '192.0.2.7'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const fail = (error: unknown) => {
  throw error
}

describeOnBothDatabases('API keys', use => {
  const openKeys = (clock: () => number = Date.now) => new ApiKeys(use().database, { clock, onError: fail })
  const openAccount = async () =>
    (await new Accounts(use().database).create({ email: `${newId('acc')}@example.org` })).accountId

  test('a key authenticates its account until it is revoked, which cannot be undone', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { key, keyId, display } = await keys.create({ accountId, name: ' Production ' })
    assert.equal(display, key.slice(0, 7))
    assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'accepted', keyId, accountId, scopes: null })
    assert.equal(await keys.revoke({ keyId, accountId: await openAccount() }), false)
    assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'accepted', keyId, accountId, scopes: null })
    assert.equal(await keys.revoke({ keyId, accountId }), true)
    assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'unknown' })
    assert.equal(await keys.revoke({ keyId }), false)
    const [listed] = (await keys.list(accountId)).keys
    assert.equal(listed?.name, 'Production')
    assert.ok(listed?.revokedAtMs)
    await keys.close()
  })

  test('a revocation by another process takes effect from the next request on', async t => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { key, keyId } = await keys.create({ accountId, name: 'shared' })
    assert.equal((await keys.authenticate(key, CLIENT)).kind, 'accepted')
    const other = await openDatabase(use().location)
    t.after(() => other.close())
    const elsewhere = new ApiKeys(other, { onError: fail })
    await elsewhere.revoke({ keyId })
    assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'unknown' })
    await elsewhere.close()
    await keys.close()
  })

  test('a mistyped key is refused without a look-up, an unknown one after it', async t => {
    const closed = await openDatabase(use().location)
    const keys = new ApiKeys(closed, { onError: fail })
    await closed.close()
    const key = buildApiKey()
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
    assert.deepEqual(await keys.authenticate(mistyped, CLIENT), { kind: 'unknown' })
    await assert.rejects(async () => keys.authenticate(key, CLIENT), 'a well-formed key is looked up')
    t.after(() => keys.close())
    const open = openKeys()
    assert.deepEqual(await open.authenticate(key, CLIENT), { kind: 'unknown' })
    await open.close()
  })

  test('the last use is exact to the minute and written at most once a minute', async () => {
    let nowMs = Date.UTC(2026, 10, 21, 9, 30, 10)
    const keys = openKeys(() => nowMs)
    const accountId = await openAccount()
    const { keyId } = await keys.create({ accountId, name: 'used' })
    const { database } = use()
    await sql`create table writes (at integer)`.execute(database.queries)
    await sql
      .raw(
        database.kind === 'sqlite'
          ? 'create trigger count_writes after update on api_keys begin insert into writes values (1); end'
          : 'create rule count_writes as on update to api_keys do also insert into writes values (1)',
      )
      .execute(database.queries)
    const lastUse = async () => (await keys.list(accountId)).keys[0]?.lastUsedAtMs
    assert.equal(await lastUse(), null)
    for (let i = 0; i < 100; i++) keys.touch(keyId)
    await keys.flush()
    for (let i = 0; i < 100; i++) keys.touch(keyId)
    await keys.flush()
    assert.equal(await lastUse(), Date.UTC(2026, 10, 21, 9, 30))
    nowMs += 50_000
    keys.touch(keyId)
    await keys.close()
    assert.equal(await lastUse(), Date.UTC(2026, 10, 21, 9, 31))
    const { rows } = await sql<{ count: number }>`select count(*) as count from writes`.execute(database.queries)
    assert.deepEqual({ ...rows[0] }, { count: 2 })
  })

  test('a name is 1 to 100 letters, digits, signs and spaces; invisible characters are refused and reported', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    for (const name of ['', '  ', 'x'.repeat(101)])
      await assert.rejects(keys.create({ accountId, name }), { name: 'InvalidKeyNameError', message: /1 to 100/ })
    for (const [name, character] of [
      ['a\u0000b', 'U+0000'],
      ['a\nb', 'U+000A'],
      ['zero\u200Bwidth', 'U+200B'],
      ['right\u202Eleft', 'U+202E'],
      ['filler\u3164', 'U+3164'],
      ['selector\uFE0F', 'U+FE0F'],
      ['half \uD83D', 'U+D83D'],
      ['\u{1F680} Rocket', 'U+1F680'],
      ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 'U+1F468'],
      ['\uE000', 'U+E000'],
    ] as const)
      await assert.rejects(keys.create({ accountId, name }), (error: Error) => {
        assert.ok(error instanceof InvalidKeyNameError)
        assert.ok(error.message.includes(`${character}.`), error.message)
        return true
      })
    for (const name of [
      'x'.repeat(100),
      "Anna's laptop (2)",
      'Z\u00FCrich',
      '\u6771\u4EAC',
      '<b>{{7*7}}',
      '5 \u20AC +~^`|',
    ])
      assert.equal((await keys.create({ accountId, name })).name, name)
    await keys.close()
  })

  test('a key authenticates its account until it expires, and the refusal then says when it did', async () => {
    let nowMs = Date.UTC(2026, 10, 21)
    const [keys, accountId] = [openKeys(() => nowMs), await openAccount()]
    const expiresAtMs = nowMs + HOUR_MS
    const { key } = await keys.create({ accountId, name: 'short', expiresAtMs })
    const status = async () => (await keys.list(accountId)).keys[0]?.status
    nowMs = expiresAtMs - 1
    assert.equal((await keys.authenticate(key, CLIENT)).kind, 'accepted')
    assert.equal(await status(), 'active')
    assert.deepEqual((await keys.count([accountId])).get(accountId), { total: 1, active: 1 })
    nowMs = expiresAtMs
    assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'expired', expiredAtMs: expiresAtMs })
    assert.equal(await status(), 'expired')
    assert.deepEqual((await keys.count([accountId])).get(accountId), { total: 1, active: 0 })
    await keys.close()
  })

  test('an expiry lies within the next 3660 days', async () => {
    const nowMs = Date.UTC(2026, 10, 21)
    const [keys, accountId] = [openKeys(() => nowMs), await openAccount()]
    for (const expiresAtMs of [nowMs + 1, nowMs + 3660 * DAY_MS])
      await keys.create({ accountId, name: 'within', expiresAtMs })
    for (const expiresAtMs of [nowMs - 1, nowMs, nowMs + 3660 * DAY_MS + 1])
      await assert.rejects(keys.create({ accountId, name: 'beyond', expiresAtMs }), InvalidKeyLimitError)
    await keys.close()
  })

  test('a key has the given scopes, in a fixed order, and at least one', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    for (const [given, stored] of [
      [['read'], ['read']],
      [
        ['read', 'render', 'read'],
        ['render', 'read'],
      ],
      [null, null],
      [undefined, null],
    ] as const) {
      const { key, keyId } = await keys.create({ accountId, name: 'scopes', scopes: given })
      const check = await keys.authenticate(key, CLIENT)
      assert.ok(check.kind === 'accepted')
      assert.deepEqual(check.scopes, stored)
      assert.deepEqual((await keys.list(accountId, { keyId })).keys[0]?.scopes, stored)
    }
    await assert.rejects(keys.create({ accountId, name: 'none', scopes: [] }), InvalidKeyLimitError)
    await keys.close()
  })

  test('a key is accepted only from its allowed addresses, of which it may have 50', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const allowedAddresses = ['192.0.2.9/24', '192.0.2.0/24', '2001:DB8::/48']
    const { key, keyId } = await keys.create({ accountId, name: 'office', allowedAddresses })
    const [listed] = (await keys.list(accountId)).keys
    assert.deepEqual(listed?.allowedAddresses, ['192.0.2.0/24', '2001:db8::/48'])
    for (const address of ['192.0.2.7', '2001:db8::5'])
      assert.equal((await keys.authenticate(key, address)).kind, 'accepted', address)
    for (const address of ['198.51.100.7', '2001:db9::5', 'unknown'])
      assert.deepEqual(await keys.authenticate(key, address), { kind: 'address-not-allowed', keyId }, address)
    const many = Array.from({ length: 51 }, (_, i) => `192.0.2.${i}`)
    await keys.create({ accountId, name: 'many', allowedAddresses: many.slice(1) })
    await assert.rejects(keys.create({ accountId, name: 'too many', allowedAddresses: many }), InvalidKeyLimitError)
    await assert.rejects(keys.create({ accountId, name: 'odd', allowedAddresses: ['localhost'] }), /"localhost"/)
    const { key: open } = await keys.create({ accountId, name: 'anywhere', allowedAddresses: [] })
    assert.equal((await keys.authenticate(open, '198.51.100.7')).kind, 'accepted')
    await keys.close()
  })

  test('a rotated key works for another day beside the new one, which has its name and limits', async () => {
    let nowMs = Date.UTC(2026, 10, 21)
    const [keys, accountId] = [openKeys(() => nowMs), await openAccount()]
    const limits = { scopes: ['read'], allowedAddresses: [CLIENT] } as const
    const old = await keys.create({ accountId, name: 'Shop', expiresAtMs: nowMs + 90 * DAY_MS, ...limits })
    nowMs += 80 * DAY_MS
    const rotated = await keys.rotate({ keyId: old.keyId, accountId })
    assert.ok(rotated !== null)
    assert.notEqual(rotated.key, old.key)
    assert.deepEqual([rotated.name, rotated.oldEndsAtMs], ['Shop', nowMs + DAY_MS])
    for (const { key, keyId } of [old, rotated]) {
      assert.deepEqual(await keys.authenticate(key, CLIENT), { kind: 'accepted', keyId, accountId, scopes: ['read'] })
      assert.equal((await keys.authenticate(key, '198.51.100.7')).kind, 'address-not-allowed')
    }
    const listed = new Map((await keys.list(accountId)).keys.map(each => [each.keyId, each]))
    assert.equal(listed.get(old.keyId)?.replacedByKeyId, rotated.keyId)
    assert.equal(listed.get(rotated.keyId)?.expiresAtMs, nowMs + 90 * DAY_MS, 'the old one’s lifetime')
    nowMs += DAY_MS
    assert.equal((await keys.authenticate(old.key, CLIENT)).kind, 'expired')
    assert.equal((await keys.authenticate(rotated.key, CLIENT)).kind, 'accepted')
    await keys.close()
  })

  test('a rotation does not extend the old key’s life, and gives the new one the requested expiry', async () => {
    const nowMs = Date.UTC(2026, 10, 21)
    const [keys, accountId] = [openKeys(() => nowMs), await openAccount()]
    const expiryOf = async (keyId: string) => (await keys.list(accountId, { keyId })).keys[0]?.expiresAtMs
    const soon = await keys.create({ accountId, name: 'ends soon', expiresAtMs: nowMs + HOUR_MS })
    const later = await keys.rotate({ keyId: soon.keyId, expiresAtMs: null })
    assert.equal(later?.oldEndsAtMs, nowMs + HOUR_MS)
    assert.equal(await expiryOf(later?.keyId ?? ''), null)
    const endless = await keys.create({ accountId, name: 'endless' })
    const next = await keys.rotate({ keyId: endless.keyId, overlapMs: 0, expiresAtMs: nowMs + DAY_MS })
    assert.equal(await expiryOf(next?.keyId ?? ''), nowMs + DAY_MS)
    assert.equal((await keys.authenticate(endless.key, CLIENT)).kind, 'expired', 'without an overlap it ends at once')
    const last = await keys.rotate({ keyId: next?.keyId ?? '', overlapMs: 720 * HOUR_MS })
    assert.ok(last !== null)
    await assert.rejects(keys.rotate({ keyId: last.keyId, overlapMs: 720 * HOUR_MS + 1 }), InvalidKeyLimitError)
    await assert.rejects(keys.rotate({ keyId: last.keyId, overlapMs: -1 }), InvalidKeyLimitError)
    await keys.close()
  })

  test('a key is rotated once, even by ten concurrent calls; an expired key or one of another account never', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { keyId } = await keys.create({ accountId, name: 'once' })
    assert.equal(await keys.rotate({ keyId, accountId: await openAccount() }), null)
    const made = await Promise.all(Array.from({ length: 10 }, () => keys.rotate({ keyId, accountId })))
    assert.equal(made.filter(each => each !== null).length, 1)
    assert.equal((await keys.list(accountId)).total, 2, 'a refused rotation creates no key')
    const ended = await keys.create({ accountId, name: 'revoked' })
    await keys.revoke({ keyId: ended.keyId })
    assert.equal(await keys.rotate({ keyId: ended.keyId }), null)
    assert.equal(await keys.rotate({ keyId: 'key_none' }), null)
    await keys.close()
  })

  test('the list shows the use of each key, and never a key', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const used = await keys.create({ accountId, name: 'used' })
    const unused = await keys.create({ accountId, name: 'unused' })
    const { queries } = use().database
    for (const day of ['2026-11-20', '2026-11-21']) {
      const row = { account_id: accountId, key_id: used.keyId, day }
      await queries
        .insertInto('usage_days')
        .values({ ...row, total: 5, successful: 3, failed: 2 })
        .execute()
      await queries
        .insertInto('credit_days')
        .values({ ...row, consumed: 4, refunded: 1 })
        .execute()
    }
    const { keys: list } = await keys.list(accountId)
    assert.deepEqual(
      new Map(list.map(each => [each.keyId, [each.requestCount, each.creditsConsumed]])),
      new Map([
        [used.keyId, [10, 8]],
        [unused.keyId, [0, 0]],
      ]),
    )
    assert.ok(!JSON.stringify(list).includes(used.key.slice(7)))
    await keys.close()
  })

  test('no key is anywhere in the database', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const created = await Promise.all(['a', 'b', 'c'].map(name => keys.create({ accountId, name })))
    for (const { key } of created) await keys.authenticate(key, CLIENT)
    await keys.close()
    const { database, location } = use()
    const tables = ['api_keys', 'accounts', 'instances', 'rate_windows', 'usage_days'] as const
    const contents =
      database.kind === 'sqlite'
        ? readdirSync(location.dataDir).map(file => readFileSync(path.join(location.dataDir, file), 'latin1'))
        : await Promise.all(
            tables.map(async table => JSON.stringify(await database.queries.selectFrom(table).selectAll().execute())),
          )
    assert.ok(contents.some(content => content.includes(created[0]?.display ?? '?')))
    for (const { key } of created) for (const content of contents) assert.ok(!content.includes(key.slice(7)))
  })
})
