import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import sharp from 'sharp'
import { TestService } from './test-service.ts'

const TOKEN = 'a-token-of-the-operator'
let service: TestService
before(async () => {
  service = await TestService.start('postgres', { environment: { METRICS_TOKEN: TOKEN }, rendersLate: false })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

const metrics = (headers: Record<string, string>) => fetch(`${service.running.url}/metrics`, { headers })

test('with METRICS_TOKEN, /metrics answers only clients that send it', async () => {
  assert.equal((await metrics({ Authorization: `Bearer ${TOKEN}` })).status, 200)
  assert.equal((await metrics({ Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9' })).status, 200)
  assert.equal((await metrics({ Authorization: `Bearer ${TOKEN}x` })).status, 404)
  assert.equal((await metrics({})).status, 404)
})

/** The metric's value for each decoder. */
async function readDecoded(): Promise<Map<string, number>> {
  const text = await (await metrics({ Authorization: `Bearer ${TOKEN}` })).text()
  return new Map(
    [...text.matchAll(/^vitrine_artworks_decoded_total\{decoder="(\w+)"\} (\d+)$/gm)].map(
      ([, decoder = '', count]) => [decoder, Number(count)] as const,
    ),
  )
}

test('decoders are counted, a second account’s identical picture is decoded again, and no answer reveals it', async () => {
  const [first, second] = [await service.customer(), await service.customer()]
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#2a6' } })
  const gif = await picture.clone().gif().toBuffer()
  const jpeg = await picture.clone().jpeg().toBuffer()
  const generate = (key: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('template_id', 'one-frame')
    form.set('width', '40')
    form.set('artwork', new Blob([new Uint8Array(bytes)]), 'artwork')
    return service.generate(key, form)
  }
  const counted = await readDecoded()
  const forms = new Set<string>()
  for (const [{ key }, bytes, decoder] of [
    [first, gif, 'general'],
    [first, jpeg, 'vitrine'],
    // The only render process now has them in memory.
    [second, jpeg, 'vitrine'],
    [second, gif, 'general'],
    [second, jpeg, 'memory'],
    [first, gif, 'memory'],
  ] as const) {
    const answer = await generate(key, bytes)
    assert.equal(answer.status, 200, answer.bytes.toString())
    forms.add([...answer.headers].map(([name, value]) => `${name}: ${value.replaceAll(formless, '0')}`).join('\n'))
    const wanted = new Map(counted).set(decoder, (counted.get(decoder) ?? 0) + 1)
    // A request is counted when its answer has been sent, which may be after it was received.
    while (sum(await readDecoded()) < sum(wanted)) await sleep(20)
    assert.deepEqual(Object.fromEntries(await readDecoded()), Object.fromEntries(wanted))
    for (const [name, count] of wanted) counted.set(name, count)
  }
  assert.equal(forms.size, 1, [...forms].join('\n\n'))
  assert.equal((await generate(first.key, jpeg.subarray(0, jpeg.length >> 1))).status, 400)
  assert.deepEqual(Object.fromEntries(await readDecoded()), Object.fromEntries(counted))
})

/** Ids, dates and numbers: what differs between the headers of two equivalent answers. */
const formless = /req_\w+|\w{3}, \d\d \w{3} .* GMT|[\d.]+/g

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0)
}

test('during a short database outage: 503 SERVER_BUSY with Retry-After by the service itself, which stays ready; then all is well', async t => {
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
    // If all nodes became unready at once, a proxy would answer with its own page.
    let readiness: unknown
    while (JSON.stringify(readiness) !== '{"status":"ready","problem":"the database does not answer"}') {
      await sleep(100, undefined, { signal: t.signal })
      const asked = await fetch(`${service.running.url}/readyz`)
      assert.equal(asked.status, 200)
      readiness = await asked.json()
    }
    assert.equal((await fetch(`${service.running.url}/healthz`)).status, 200)
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
  }
  assert.equal((await service.send({ key })).status, 200)
  assert.equal((await fetch(`${service.running.url}/readyz`)).status, 200)
})

test('a service whose disk is full accepts no new work, and says why', async () => {
  const environment = { FREE_DISK_MEGABYTES_MIN: '1000000000' }
  await using full = await TestService.start('sqlite', { environment, rendersLate: false })
  const answer = await fetch(`${full.running.url}/readyz`)
  assert.deepEqual([answer.status, await answer.json()], [503, { status: 'not ready', reason: 'the disk is full' }])
  assert.equal((await fetch(`${full.running.url}/healthz`)).status, 200)
})
