import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { TestService } from './test-service.ts'

const token = 'a-token-of-the-operator'
let service: TestService
before(async () => {
  service = await TestService.start('postgres', { environment: { METRICS_TOKEN: token } })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

const metrics = (headers: Record<string, string>) => fetch(`${service.running.url}/metrics`, { headers })

test('with METRICS_TOKEN, /metrics answers whoever has it and nobody else', async () => {
  assert.equal((await metrics({ Authorization: `Bearer ${token}` })).status, 200)
  assert.equal((await metrics({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' })).status, 200)
  assert.equal((await metrics({ Authorization: `Bearer ${token}x` })).status, 404)
  assert.equal((await metrics({})).status, 404)
})

test('while the database is away: 503 SERVER_BUSY with Retry-After, not ready, and alive; afterwards all is well', async () => {
  const { key } = await service.customer()
  const { DATABASE_URL } = service.settings
  assert(DATABASE_URL !== undefined)
  const own = new URL(DATABASE_URL)
  const name = own.pathname.slice(1)
  own.pathname = '/postgres'
  const admin = new Client({ connectionString: own.href })
  await admin.connect()
  try {
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const answer = await fetch(`${service.running.url}/api/v1/templates`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 503, await answer.clone().text())
    assert.match(await answer.text(), /"code":"SERVER_BUSY"/)
    assert(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal((await fetch(`${service.running.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${service.running.url}/healthz`)).status, 200)
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
  }
  assert.equal((await service.send({ key })).status, 200)
  assert.equal((await fetch(`${service.running.url}/readyz`)).status, 200)
})
