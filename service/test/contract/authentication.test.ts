import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeContract, errorOf } from '../http/test-service.ts'
import { findKeys, findStoredKeys } from '../servers/found-keys.ts'

describeContract('interface.md, "Authentication"', use => {
  for (const [row, header, code] of [
    ['no header', null, 'MISSING_API_KEY'],
    ['an empty header', '', 'MISSING_API_KEY'],
    ['Bearer alone', 'Bearer', 'INVALID_API_KEY'],
    ['Basic', 'Basic dXNlcjpwYXNz', 'INVALID_API_KEY'],
    ['a bare word', 'letmein', 'INVALID_API_KEY'],
    ['a key of another form', 'Bearer nonsense', 'INVALID_API_KEY'],
    ['a key with a wrong checksum', `Bearer vt_${'a'.repeat(36)}`, 'INVALID_API_KEY'],
    ['a key of 10 KB', `Bearer vt_${'a'.repeat(10_000)}`, 'INVALID_API_KEY'],
    ['two words', 'Bearer one two', 'INVALID_API_KEY'],
  ] as const)
    for (const [method, path] of [
      ['GET', '/templates'],
      ['POST', '/mockups/generate'],
      ['GET', '/no-such-path'],
      ['DELETE', '/templates'],
    ] as const)
      test(`${row} on ${method} ${path}: 401 ${code}`, async () => {
        const answer = await use().send({
          method,
          path,
          key: null,
          headers: header === null ? {} : { Authorization: header },
        })
        assert.deepEqual([answer.status, errorOf(answer).code], [401, code])
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      })

  test('the scheme Bearer is case-insensitive', async () => {
    const { key } = await use().customer()
    for (const word of ['bearer', 'BEARER', 'Bearer'])
      assert.equal((await use().send({ key: null, headers: { Authorization: `${word} ${key}` } })).status, 200)
  })

  test('a key in the query does not authenticate', async () => {
    const { key } = await use().customer()
    const answer = await use().send({ path: `/templates?key=${key}&api_key=${key}`, key: null })
    assert.equal(errorOf(answer).code, 'MISSING_API_KEY')
  })

  test('a revoked key is refused from the next request on, including on a keep-alive connection', async () => {
    const service = use()
    const { key, keyId } = await service.customer()
    assert.equal((await service.send({ key })).status, 200)
    await service.running.services.apiKeys.revoke({ keyId })
    const answer = await service.send({ key })
    assert.deepEqual([answer.status, errorOf(answer).code], [401, 'INVALID_API_KEY'])
  })

  test('a request in progress when its key is revoked is finished and charged; the next one is refused', async () => {
    const service = use()
    const { key, keyId, accountId } = await service.customer(5)
    const path = `/late/red.png?${keyId}`
    const body = { template_id: 'one-frame', artwork_url: service.origin.url + path, width: 8 }
    const underWay = service.generate(key, body)
    while (!service.origin.asked.includes(path)) await delay(5)
    await service.running.services.apiKeys.revoke({ keyId })
    assert.equal((await service.generate(key, body)).status, 401)
    assert.equal((await underWay).status, 200)
    assert.equal((await service.running.services.wallet.balance(accountId)).spendableCredits, 4)
    assert.equal(service.origin.asked.filter(each => each === path).length, 1)
  })

  test('the key is never on the disk, in the logs or in an error, wherever it was sent', async () => {
    const service = use()
    const { key } = await service.customer()
    const url = `${service.origin.url}/red.png`
    const bodies = [
      { template_id: key, artwork_url: url },
      { template_id: 'one-frame', artwork_url: key },
      { template_id: 'one-frame', artwork_url: url, format: key },
      { template_id: 'one-frame', artwork_urls: { [key]: url, 0: url } },
      { template_id: 'one-frame', artwork_url: `http://no-such-name.invalid/${key}` },
      { template_ids: ['one-frame', key], artwork_url: url, response_format: 'json' },
      { template_id: 'one-frame', artwork_url: url, width: 8 },
    ]
    for (const body of bodies) {
      const answer = await service.generate(key, body, { 'Idempotency-Key': `key-${bodies.indexOf(body)}` })
      assert(!answer.bytes.toString('latin1').includes(key), JSON.stringify(answer.json))
    }
    for (const path of [`/${key}`, `/templates?type=${key}`, `/billing/usage?period=${key}`]) {
      const answer = await service.send({ path, key })
      assert(answer.status >= 400)
      assert(!answer.bytes.toString('latin1').includes(key), JSON.stringify(answer.json))
    }
    await service.running.services.usage.flush()
    assert(!service.log.join('').includes(key))
    assert.deepEqual(findKeys(`${key}, ${key.slice(0, -1)}`), [key], 'a key would be found')
    const { DATA_DIR, DATABASE_URL } = service.settings
    assert.deepEqual(await findStoredKeys({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL }), [])
  })
})
