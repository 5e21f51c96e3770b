import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { S3mini } from 's3mini'
import { launchChromium } from './chromium.ts'
import { startOwnPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { startS3 } from './s3.ts'

test('the test PostgreSQL answers a query and is gone after its end', async t => {
  const server = await startOwnPostgres({})
  t.after(server.stop)
  const client = new Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query('select 6 * 7 as answer')
  assert.deepEqual(rows, [{ answer: 42 }])
  await client.end()
  await server.stop()
  await assert.rejects(new Client({ connectionString: server.url }).connect())
})

test('the test Redis stores a value', async t => {
  const server = await startRedis()
  t.after(server.stop)
  const redis = new Redis(server.url)
  await redis.set('vitrine', 'here')
  assert.equal(await redis.get('vitrine'), 'here')
  redis.disconnect()
})

test('the test S3 refuses a wrong secret, a missing signature and a changed address', async t => {
  const server = await startS3()
  t.after(server.stop)
  const { accessKeyId, secretAccessKey, region } = server
  const endpoint = `${server.url}/bucket`
  const good = new S3mini({ accessKeyId, secretAccessKey, endpoint, region })
  await good.putObject('kept', 'one')
  assert.equal(await good.getObject('kept'), 'one')

  const wrong = new S3mini({ accessKeyId, secretAccessKey: 'another', endpoint, region })
  await assert.rejects(wrong.putObject('kept', 'two'))
  assert.equal((await fetch(`${endpoint}/kept`)).status, 403)
  const changing = new S3mini({
    accessKeyId,
    secretAccessKey,
    endpoint,
    region,
    fetch: (_input, init) => fetch(`${endpoint}/other`, init),
  })
  await assert.rejects(changing.putObject('kept', 'two'))
  assert.equal(await good.getObject('other'), null)
  assert.equal(await good.getObject('kept'), 'one')
})

test('the test Chromium opens a page and runs its script', { timeout: 60_000 }, async t => {
  const browser = await launchChromium()
  t.after(() => browser.close())
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await page.setContent('<p id="out"></p><script>out.textContent = 6 * 7</script>')
  assert.equal(await page.textContent('#out'), '42')
})
