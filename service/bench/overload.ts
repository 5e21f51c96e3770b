/**
 * What the service does when more is asked of it than it can do.
 *
 *   node service/bench/overload.ts [seconds per level, default 30]
 *
 * Measures the capacity with a closed loop, then offers 1, 5 and 10 times that rate with an open loop (requests leave on
 * schedule whatever the answers do), with many keys. Prints per level: goodput, the statuses, the latency of accepted
 * requests, the slowest /healthz; at the end whether the ledger agrees with the answers.
 */
import http from 'node:http'
import os from 'node:os'
import { balance as balanceSchema, templateList } from '@vitrine/contract'
import sharp from 'sharp'
import { readSampleArtwork, type SpawnedService, spawnService } from './spawned-service.ts'

const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 })
const boundary = 'vitrine-bench'

type Answer = { status: number; durationMs: number }

function multipart(templateId: string, artwork: Buffer): Buffer {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="artwork"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return Buffer.concat([
    Buffer.from(field('template_id', templateId) + field('width', '1000') + file),
    artwork,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

/** Sends one request and reads the whole answer. A connection that breaks counts as status 0. */
function send(url: string, method: string, headers: Record<string, string | number>, body?: Buffer): Promise<Answer> {
  const startedMs = performance.now()
  return new Promise(resolve => {
    const done = (status: number) => resolve({ status, durationMs: performance.now() - startedMs })
    const request = http.request(url, { method, agent, headers }, response => {
      response.once('end', () => done(response.statusCode ?? 0))
      response.once('error', () => done(0))
      response.resume()
    })
    request.once('error', () => done(0))
    request.end(body)
  })
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

function mockup(service: SpawnedService, key: string, body: Buffer): Promise<Answer> {
  return send(
    `${service.url}/api/v1/mockups/generate`,
    'POST',
    {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': body.length,
    },
    body,
  )
}

async function closedLoop(
  service: SpawnedService,
  keys: readonly string[],
  body: Buffer,
  seconds: number,
): Promise<number> {
  const endMs = performance.now() + seconds * 1000
  let succeeded = 0
  const client = async (key: string) => {
    while (performance.now() < endMs) if ((await mockup(service, key, body)).status === 200) succeeded++
  }
  await Promise.all(keys.slice(0, 4).map(client))
  return succeeded / seconds
}

async function openLoop(
  service: SpawnedService,
  keys: readonly string[],
  body: Buffer,
  perSecond: number,
  seconds: number,
) {
  const answers: Promise<Answer>[] = []
  const health: number[] = []
  const healthTimer = setInterval(() => {
    void send(`${service.url}/healthz`, 'GET', {}).then(({ durationMs }) => health.push(durationMs))
  }, 100)
  const startMs = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    const waitMs = startMs + (i * 1000) / perSecond - performance.now()
    if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs))
    answers.push(mockup(service, keys[i % keys.length] ?? '', body))
  }
  const all = await Promise.all(answers)
  const elapsedSeconds = (performance.now() - startMs) / 1000
  clearInterval(healthTimer)
  const accepted = all.filter(({ status }) => status === 200).map(({ durationMs }) => durationMs)
  return {
    'offered /s': perSecond.toFixed(1),
    'goodput /s': (accepted.length / elapsedSeconds).toFixed(1),
    'p50 ms': quantile(accepted, 0.5).toFixed(0),
    'p99 ms': quantile(accepted, 0.99).toFixed(0),
    'healthz p99 ms': quantile(health, 0.99).toFixed(0),
    statuses: JSON.stringify(
      Object.fromEntries(
        Map.groupBy(all, ({ status }) => status)
          .entries()
          .map(([status, list]) => [status, list.length]),
      ),
    ),
    succeeded: accepted.length,
  }
}

const seconds = Number(process.argv[2] ?? 30)
await using service = await spawnService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '10000000' })
// On one machine the client must not take the processor that belongs to the service.
os.setPriority(10)
const artwork = await sharp(await readSampleArtwork())
  .resize(1000)
  .jpeg({ quality: 80 })
  .toBuffer()
const customer = await service.customer(1_000_000)
const keys = [customer.key]
for (let i = 1; i < 20; i++)
  keys.push(String((await service.command('key', 'create', '--email', customer.email, '--name', `bench ${i}`))['key']))
const listed = await fetch(`${service.url}/api/v1/templates?limit=1`, {
  headers: { authorization: `Bearer ${customer.key}` },
})
const { templates } = templateList.parse(await listed.json())
const body = multipart(templates[0]?.id ?? '', artwork)
await closedLoop(service, keys, body, 3)
const balance = async () => {
  const answer = await fetch(`${service.url}/api/v1/billing/balance`, {
    headers: { authorization: `Bearer ${customer.key}` },
  })
  return balanceSchema.parse(await answer.json()).balance_credits
}
const capacity = await closedLoop(service, keys, body, seconds)
console.log(`capacity, closed loop of 4: ${capacity.toFixed(1)} mockups/s`)
const before = await balance()
const rows = []
for (const factor of [1, 5, 10])
  rows.push({ load: `${factor}x`, ...(await openLoop(service, keys, body, capacity * factor, seconds)) })
console.table(rows)
const succeeded = rows.reduce((sum, row) => sum + row.succeeded, 0)
console.log(
  `answers 200: ${succeeded}, credits consumed: ${before - (await balance())}`,
  await service.command('ledger', 'verify'),
)
agent.destroy()
