import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@vitrine/contract'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { buildApiKey, hasApiKeyForm, hasPublishableKeyForm } from '../api-keys/api-key-format.ts'
import { InvalidKeyNameError } from '../api-keys/key-limits.ts'
import { newId } from '../database/new-id.ts'
import { InvalidPublishableKeyError, PublishableKeys, type WantedPublishableKey } from './publishable-keys.ts'

const origins = ['https://shop.example']

describeOnBothDatabases('Publishable keys', use => {
  const openKeys = () => new PublishableKeys(use().database)
  const openAccount = async () =>
    (await new Accounts(use().database).create({ email: `${newId('acc')}@example.org` })).accountId

  test('a key is found by its text until it is revoked, and its full text is listed', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const made = await keys.create({ accountId, name: ' Shop ', origins: ['https://Shop.example/', ...origins] })
    assert.match(made.key, /^vtp_[0-9A-Za-z]{36}$/)
    assert.ok(hasPublishableKeyForm(made.key) && !hasApiKeyForm(made.key))
    assert.deepEqual(await keys.find(made.key), made)
    assert.deepEqual(await keys.findById(made.keyId), made)
    assert.deepEqual(await keys.list(accountId), [made])
    const { name, templateIds, widthPx, watermark, loadsPerDay } = made
    assert.deepEqual(
      { name, origins: made.origins, templateIds, widthPx, watermark, loadsPerDay },
      { name: 'Shop', origins, templateIds: null, widthPx: 960, watermark: null, loadsPerDay: 100_000 },
    )
    assert.equal(await keys.revoke({ keyId: made.keyId, accountId: await openAccount() }), null)
    assert.notEqual(await keys.find(made.key), null)
    assert.equal(await keys.revoke({ keyId: made.keyId }), accountId)
    assert.equal(await keys.find(made.key), null)
    assert.equal(await keys.findById(made.keyId), null)
    assert.equal(await keys.revoke({ keyId: made.keyId }), null)
    assert.ok((await keys.list(accountId))[0]?.revokedAtMs)
  })

  test('a key is read with its settings, and other texts find nothing', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const wanted = {
      origins: ['https://a.example', 'http://localhost:*'],
      templateIds: ['one', 'two'],
      widthPx: 400,
      watermark: ' Größe  © a.example ',
      loadsPerDay: 5,
    }
    const made = await keys.create({ accountId, name: 'Shop', ...wanted })
    const found = await keys.find(made.key)
    assert.deepEqual({ ...found, ...wanted, watermark: 'Größe © a.example' }, found)
    const mistyped = `${made.key.slice(0, -1)}${made.key.endsWith('a') ? 'b' : 'a'}`
    for (const text of ['', mistyped, made.keyId, buildApiKey(), `${made.key} `, 'x'.repeat(100_000)])
      assert.equal(await keys.find(text), null)
    for (const id of ['', made.key, `${made.keyId}x`, 'pub_', "pub_' or 1=1 --"])
      assert.equal(await keys.findById(id), null)
  })

  test('a changed key retains its text and has the new settings, for its own account only', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const made = await keys.create({ accountId, name: 'Shop', origins, watermark: 'shop.example', widthPx: 400 })
    const wanted = { accountId, name: 'New shop', origins: ['https://new.example'], templateIds: ['one'] }
    assert.equal(await keys.change(made.keyId, { ...wanted, accountId: await openAccount() }), null)
    await assert.rejects(keys.change(made.keyId, { ...wanted, origins: [] }), InvalidPublishableKeyError)
    assert.deepEqual(await keys.find(made.key), made)
    const { name, templateIds } = wanted
    const changed = { ...made, name, templateIds, origins: wanted.origins, widthPx: 960, watermark: null }
    assert.deepEqual(await keys.change(made.keyId, wanted), changed)
    assert.deepEqual(await keys.find(made.key), changed)
    await keys.revoke({ keyId: made.keyId })
    assert.equal(await keys.change(made.keyId, wanted), null)
  })

  test('a suspended account’s keys open nothing', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const { key } = await keys.create({ accountId, name: 'Shop', origins })
    await new Accounts(use().database).suspend(accountId)
    assert.equal(await keys.find(key), null)
  })

  test('invalid settings are refused with a sentence that says why', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    const many = (count: number) => Array.from({ length: count }, (_, i) => `https://shop${i}.example`)
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `template-${i}`)
    const rows: readonly (readonly [Partial<WantedPublishableKey>, RegExp | null])[] = [
      [{ origins: [] }, /1 to 20 origins.*received 0/],
      [{ origins: ['http://shop.example'] }, /origins such as.*"http:\/\/shop\.example"/],
      [{ origins: ['*'] }, /origins such as/],
      [{ origins: many(limits.pageOriginsMax) }, null],
      [{ origins: many(limits.pageOriginsMax + 1) }, /1 to 20 origins.*received 21/],
      [{ templateIds: [] }, /1 to 200.*received 0/],
      [{ templateIds: ['../x'] }, /ids of templates.*"\.\.\/x"/],
      [{ templateIds: ids(limits.pageTemplatesMax) }, null],
      [{ templateIds: ids(limits.pageTemplatesMax + 1) }, /1 to 200.*received 201/],
      [{ widthPx: 400 }, null],
      [{ widthPx: 399 }, /400 to 960.*received 399/],
      [{ widthPx: 961 }, /400 to 960.*received 961/],
      [{ widthPx: 500.5 }, /whole number/],
      [{ watermark: 'x'.repeat(40) }, null],
      [{ watermark: 'x'.repeat(41) }, /at most 40/],
      [{ watermark: 'プレビュー' }, /Latin letters/],
      [{ watermark: 'a\u202eb' }, /Latin letters/],
      [{ loadsPerDay: 0 }, /1 to 10000000.*received 0/],
      [{ loadsPerDay: 10_000_001 }, /received 10000001/],
    ]
    for (const [wanted, sentence] of rows) {
      const creating = keys.create({ accountId, name: 'Shop', origins, ...wanted })
      if (sentence === null) await creating
      else
        await assert.rejects(creating, error => {
          assert.ok(error instanceof InvalidPublishableKeyError)
          assert.match(error.message, sentence)
          return true
        })
    }
    await assert.rejects(keys.create({ accountId, name: ' ', origins }), InvalidKeyNameError)
  })

  test('an account has a limited number of active keys, and a revoked one makes room', async () => {
    const [keys, accountId] = [openKeys(), await openAccount()]
    for (let i = 0; i < limits.publishableKeysMax; i++) await keys.create({ accountId, name: `${i}`, origins })
    await assert.rejects(keys.create({ accountId, name: 'more', origins }), InvalidPublishableKeyError)
    await keys.revoke({ keyId: (await keys.list(accountId))[0]?.keyId ?? '' })
    await keys.create({ accountId, name: 'more', origins })
    await keys.revokeAll(accountId)
    assert.ok((await keys.list(accountId)).every(key => key.revokedAtMs !== null))
  })
})
