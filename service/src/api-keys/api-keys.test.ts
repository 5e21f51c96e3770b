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
import { ApiKeys, InvalidKeyNameError } from './api-keys.ts'

const fail = (error: unknown) => {
  throw error
}

describeOnBothDatabases('API keys', use => {
  const openKeys = (clock: () => number = Date.now) => new ApiKeys(use().database, { clock, onError: fail })
  const openAccount = async () =>
    (await new Accounts(use().database).create({ email: `${newId('acc')}@example.org` })).accountId

  test('a key lets its account in until it is revoked, which cannot be undone', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { key, keyId, display } = await keys.create({ accountId, name: ' Production ' })
    assert.equal(display, key.slice(0, 7))
    assert.deepEqual(await keys.authenticate(key), { keyId, accountId })
    assert.equal(await keys.revoke({ keyId, accountId: await openAccount() }), false)
    assert.deepEqual(await keys.authenticate(key), { keyId, accountId })
    assert.equal(await keys.revoke({ keyId, accountId }), true)
    assert.equal(await keys.authenticate(key), null)
    assert.equal(await keys.revoke({ keyId }), false)
    const [listed] = (await keys.list(accountId)).keys
    assert.equal(listed?.name, 'Production')
    assert.ok(listed?.revokedAtMs)
    await keys.close()
  })

  test('a revocation by another process holds from the next request on', async t => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { key, keyId } = await keys.create({ accountId, name: 'shared' })
    assert.ok(await keys.authenticate(key))
    const other = await openDatabase(use().location)
    t.after(() => other.close())
    const elsewhere = new ApiKeys(other, { onError: fail })
    await elsewhere.revoke({ keyId })
    assert.equal(await keys.authenticate(key), null)
    await elsewhere.close()
    await keys.close()
  })

  test('a mistyped key is refused without a look-up, an unknown one after it', async t => {
    const closed = await openDatabase(use().location)
    const keys = new ApiKeys(closed, { onError: fail })
    await closed.close()
    const key = buildApiKey()
    assert.equal(await keys.authenticate(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`), null)
    await assert.rejects(async () => keys.authenticate(key), 'a well-formed key is looked up')
    t.after(() => keys.close())
    const open = openKeys()
    assert.equal(await open.authenticate(key), null)
    await open.close()
  })

  test('the last use is exact to the minute and written at most once in it', async () => {
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

  test('a name of nothing, of control characters or of more than 100 characters is refused', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    for (const name of ['', '  ', 'a\u0000b', 'x'.repeat(101)]) {
      await assert.rejects(keys.create({ accountId, name }), InvalidKeyNameError)
    }
    await keys.create({ accountId, name: 'x'.repeat(100) })
    await keys.close()
  })

  test('the list shows what each key has done, and never a key', async () => {
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
    for (const { key } of created) await keys.authenticate(key)
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
