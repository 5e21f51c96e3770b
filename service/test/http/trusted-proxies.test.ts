import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { TestService } from './test-service.ts'

const REAL = '198.51.100.7'
const FORGED = '203.0.113.9'

const forbidden = z.object({ details: z.object({ address: z.string() }) })

/** The address that the service takes for the client's: it names the one that a key does not allow. */
async function seenAddress(service: TestService, key: string, forwarded: string | null): Promise<string> {
  const answer = await service.send({ key, headers: forwarded === null ? {} : { 'X-Forwarded-For': forwarded } })
  return forbidden.parse(answer.json).details.address
}

for (const [hops, appended] of [
  [1, REAL],
  [2, `${REAL}, 192.0.2.1`],
] as const)
  test(`behind ${hops} proxies a client cannot forge its address with X-Forwarded-For`, async () => {
    await using service = await TestService.start('sqlite', { environment: { TRUST_PROXY: `${hops}` } })
    const { accountId } = await service.customer()
    const limited = { accountId, name: 'of another address', allowedAddresses: ['192.0.2.200'] }
    const { key } = await service.running.services.apiKeys.create(limited)
    assert.equal(await seenAddress(service, key, appended), REAL)
    for (const forged of [FORGED, `${FORGED}, ${FORGED}`, 'unknown', ',,', '127.0.0.1', `[2001:db8::1]:80, ${FORGED}`])
      assert.equal(await seenAddress(service, key, `${forged}, ${appended}`), REAL, forged)
    assert.equal(await seenAddress(service, key, null), '127.0.0.1')
  })
