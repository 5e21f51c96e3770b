import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeContract, errorOf, type TestService } from '../http/test-service.ts'

const within = { 'X-Forwarded-For': '203.0.113.7' }
const beyond = { 'X-Forwarded-For': '198.51.100.7' }
const PER_MINUTE = 5
const NETWORK = '203.0.113.0/24'

type Limits = Parameters<TestService['running']['services']['apiKeys']['create']>[0]

/** A limited key of a customer with 5 credits. */
async function limitedKey(service: TestService, limits: Partial<Limits>) {
  const { accountId } = await service.customer(5)
  const { apiKeys } = service.running.services
  return { accountId, ...(await apiKeys.create({ accountId, name: 'limited', ...limits })) }
}

const generation = (service: TestService) => ({
  template_id: 'one-frame',
  artwork_url: `${service.origin.url}/red.png`,
  width: 8,
})

describeContract(
  'interface.md, "Limits of a key"',
  use => {
    test('an expired key is 401 INVALID_API_KEY with its time of expiry, and otherwise like a revoked one', async () => {
      const service = use()
      const { accountId } = await service.customer(5)
      const { apiKeys } = service.running.services
      // On a slow machine a key may expire before its first request: the next one lives longer.
      const firstUse = async (lifetimeMs: number): Promise<{ key: string; status: number }> => {
        const { key } = await apiKeys.create({ accountId, name: 'brief', expiresAtMs: Date.now() + lifetimeMs })
        const { status } = await service.send({ key })
        return status === 401 && lifetimeMs < 30_000 ? firstUse(2 * lifetimeMs) : { key, status }
      }
      const { key, status } = await firstUse(400)
      assert.equal(status, 200)
      let answer = await service.send({ key })
      while (answer.status === 200 || answer.status === 429) answer = await service.send({ key })
      assert.deepEqual([answer.status, errorOf(answer).code], [401, 'INVALID_API_KEY'])
      assert.match(errorOf(answer).error, /^This API key expired at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    })

    for (const [scope, allowed, refused] of [
      ['read', ['/templates', '/billing/balance', '/billing/usage'], ['/mockups/generate']],
      ['render', ['/mockups/generate'], ['/templates', '/billing/balance', '/billing/usage']],
    ] as const)
      test(`a key with the scope "${scope}" alone is 403 INSUFFICIENT_SCOPE elsewhere`, async () => {
        const service = use()
        for (const path of [...allowed, ...refused]) {
          const { key } = await limitedKey(service, { scopes: [scope] })
          const isGeneration = path === '/mockups/generate'
          const answer = await service.send({
            method: isGeneration ? 'POST' : 'GET',
            path,
            key,
            ...(isGeneration ? { body: generation(service) } : {}),
          })
          if (allowed.some(each => each === path)) {
            assert.equal(answer.status, 200, path)
            continue
          }
          assert.deepEqual([answer.status, errorOf(answer).code], [403, 'INSUFFICIENT_SCOPE'], path)
          assert.deepEqual(errorOf(answer).details, {
            required: isGeneration ? 'render' : 'read',
            scopes: [scope],
          })
          assert.equal(answer.headers.get('x-ratelimit-remaining'), String(PER_MINUTE - 1), 'it counts for the key')
        }
      })

    test('the scope is checked after the path and method, and before the body', async () => {
      const service = use()
      const { key } = await limitedKey(service, { scopes: ['read'] })
      const codeOf = async (method: string, path: string, body?: string) => {
        const headers = body === undefined ? {} : { 'Content-Type': 'text/plain' }
        const answer = await service.send({ method, path, key, headers, ...(body === undefined ? {} : { body }) })
        return errorOf(answer).code
      }
      assert.equal(await codeOf('GET', '/no-such-path'), 'NOT_FOUND')
      assert.equal(await codeOf('GET', '/mockups/generate'), 'METHOD_NOT_ALLOWED')
      assert.equal(await codeOf('POST', '/mockups/generate', 'x'), 'INSUFFICIENT_SCOPE')
      const head = await service.send({ method: 'HEAD', path: '/templates', key })
      assert.equal(head.status, 200)
    })

    test('a key works from the addresses that it allows, as reported by the trusted proxy', async () => {
      const service = use()
      const { key } = await limitedKey(service, { allowedAddresses: [NETWORK] })
      assert.equal((await service.send({ key, headers: within })).status, 200)
      const mapped = { 'X-Forwarded-For': '[::ffff:203.0.113.9]:4711' }
      assert.equal((await service.send({ key, headers: mapped })).status, 200)
      const answer = await service.send({ key, headers: beyond })
      assert.deepEqual([answer.status, errorOf(answer).code], [403, 'ADDRESS_NOT_ALLOWED'])
      assert.deepEqual(errorOf(answer).details, { address: '198.51.100.7' })
    })

    test('only a valid, active key from an allowed address learns that its account is suspended, and works again afterwards', async () => {
      const service = use()
      const { key, accountId } = await limitedKey(service, { allowedAddresses: [NETWORK] })
      const { accounts, apiKeys, wallet } = service.running.services
      const other = await apiKeys.create({ accountId, name: 'revoked' })
      await apiKeys.revoke({ keyId: other.keyId })
      await accounts.suspend(accountId)
      for (const path of ['/templates', '/billing/balance', '/no-such-path']) {
        const answer = await service.send({ path, key, headers: within })
        assert.deepEqual([answer.status, errorOf(answer).code], [403, 'ACCOUNT_SUSPENDED'], path)
        assert.match(String(errorOf(answer).hint), /operator/)
      }
      assert.equal(errorOf(await service.send({ key, headers: beyond })).code, 'ADDRESS_NOT_ALLOWED')
      assert.equal(errorOf(await service.send({ key: other.key })).code, 'INVALID_API_KEY')
      const { spendableCredits } = await wallet.balance(accountId)
      await accounts.restore(accountId)
      assert.equal((await service.send({ key, headers: within })).status, 200)
      assert.equal((await wallet.balance(accountId)).spendableCredits, spendableCredits)
    })

    test('use of a key from a disallowed address is not counted or recorded as a use, and is logged', async () => {
      const service = use()
      const { key, keyId, accountId } = await limitedKey(service, { allowedAddresses: [NETWORK] })
      for (let i = 0; i < 2 * PER_MINUTE; i++) assert.equal((await service.send({ key, headers: beyond })).status, 403)
      const { apiKeys, usage } = service.running.services
      await Promise.all([apiKeys.flush(), usage.flush()])
      const [listed] = (await apiKeys.list(accountId, { keyId })).keys
      assert.deepEqual([listed?.lastUsedAtMs, listed?.requestCount], [null, 0])
      assert.ok(
        service.log.some(
          line => line.includes(`"refusedKeyId":"${keyId}"`) && line.includes('"clientNetwork":"198.51.100.7"'),
        ),
      )
      const own = await service.send({ key, headers: within })
      assert.equal(own.headers.get('x-ratelimit-remaining'), String(PER_MINUTE - 1))
    })

    test('a rotated key and its replacement both work, and are counted separately', async () => {
      const service = use()
      const old = await limitedKey(service, {})
      const rotated = await service.running.services.apiKeys.rotate({ keyId: old.keyId })
      assert.ok(rotated !== null)
      for (const key of [old.key, rotated.key]) {
        const answer = await service.generate(key, generation(service))
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('x-ratelimit-remaining'), String(PER_MINUTE - 1))
      }
      assert.equal(await service.balance(rotated.key), 3)
    })
  },
  { environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) } },
)
