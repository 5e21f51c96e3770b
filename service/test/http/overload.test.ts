import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateHead, RawConnection } from './raw-connection.ts'
import { type Customer, TestService } from './test-service.ts'

const QUEUE_LIMIT = 4

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', { environment: { RENDER_QUEUE_LIMIT: String(QUEUE_LIMIT) } })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

/** Sends a request whose artwork never arrives, and waits until it is admitted. */
async function occupy({ key }: Customer): Promise<RawConnection> {
  const connection = await RawConnection.open(service.running.url)
  const path = `/stall?${Math.random()}`
  const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}${path}` })
  connection.send(generateHead(key, body.length) + body)
  while (!service.origin.asked.includes(path)) await delay(5)
  return connection
}

test('a full queue is 503 SERVER_BUSY with Retry-After before the body is read, and nothing is reserved', async () => {
  const greedy = await service.customer(100)
  const held = await Promise.all(Array.from({ length: QUEUE_LIMIT }, () => occupy(greedy)))
  assert.equal(await service.balance(greedy.key), 100 - QUEUE_LIMIT)

  using refused = await RawConnection.open(service.running.url)
  // A body is announced but never sent: a handler that reads it first would wait forever.
  refused.send(generateHead(greedy.key, 500))
  const answer = await refused.receive(/\}$/)
  assert.match(answer, /^HTTP\/1\.1 503 /)
  assert.match(answer, /"code":"SERVER_BUSY"/)
  assert.match(answer, /\r\nretry-after: [1-9]\d*\r\n/i)
  assert.match(answer, /\r\nx-ratelimit-remaining: \d+\r\n/i)
  const logged = service.log.filter(line => line.includes(/x-request-id: (\S+)/i.exec(answer)?.[1] ?? 'no id'))
  assert.deepEqual(
    logged.map(line => /"level":"debug".*"outcome":"SERVER_BUSY"/.test(line)),
    [true],
    'it is not logged at the default level',
  )
  assert.equal(await service.balance(greedy.key), 100 - QUEUE_LIMIT)

  for (const connection of held) connection.socket.destroy()
  while ((await service.balance(greedy.key)) !== 100) await delay(20)
})

test('a refused large upload is told to stop, and its answer arrives complete whether the client stops or not', async () => {
  const greedy = await service.customer(100)
  const held = await Promise.all(Array.from({ length: QUEUE_LIMIT }, () => occupy(greedy)))
  const sizeBytes = 4_000_000
  using obedient = await RawConnection.open(service.running.url)
  obedient.send(generateHead(greedy.key, sizeBytes))
  await obedient.ended()
  using deaf = await RawConnection.open(service.running.url, { allowHalfOpen: true })
  deaf.send(generateHead(greedy.key, sizeBytes) + 'x'.repeat(1_000_000))
  // It reads its answer only after sending everything, as simple clients do.
  deaf.socket.pause()
  for (let sent = 1_000_000; sent < sizeBytes; sent += 100_000) {
    await delay(5)
    deaf.send('x'.repeat(100_000))
  }
  deaf.socket.resume()
  deaf.socket.end()
  await deaf.ended()
  for (const { received, fault } of [obedient, deaf]) {
    assert.match(received, /^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n[^]*"code":"SERVER_BUSY"[^]*\}$/i)
    assert.equal(fault, null)
  }
  for (const connection of held) connection.socket.destroy()
  while ((await service.balance(greedy.key)) !== 100) await delay(20)
})

test('a refused small upload is read to its end, and its connection stays open', async () => {
  const greedy = await service.customer(100)
  const held = await Promise.all(Array.from({ length: QUEUE_LIMIT }, () => occupy(greedy)))
  const sizeBytes = 300_000
  using client = await RawConnection.open(service.running.url)
  for (let round = 1; round <= 3; round++) {
    client.send(generateHead(greedy.key, sizeBytes))
    // Before the body, in the middle of it, or after it: wherever the answer reaches the client.
    const early = [0, sizeBytes / 2, sizeBytes][round - 1] ?? 0
    client.send('x'.repeat(early))
    await client.receive(new RegExp(`(?:"code":"SERVER_BUSY"[^]*){${round}}\\}$`))
    client.send('x'.repeat(sizeBytes - early))
  }
  client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await client.receive(/HTTP\/1\.1 200 /)
  assert.deepEqual(
    [...client.received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
    ['503', '503', '503', '200'],
  )
  assert.equal(client.received.match(/\r\nretry-after: [1-9]\d*\r\n/gi)?.length, 3)
  assert.equal(client.fault, null)
  const form = new FormData()
  form.set('template_id', 'one-frame')
  form.set('artwork', new Blob([new Uint8Array(sizeBytes)]), 'artwork.jpg')
  for (let round = 0; round < 5; round++) assert.equal((await service.generate(greedy.key, form)).status, 503)
  for (const connection of held) connection.socket.destroy()
  while ((await service.balance(greedy.key)) !== 100) await delay(20)
})

test('a body that is invalid from its first bytes is discarded, and its connection stays open', async () => {
  const { key } = await service.customer(1)
  using client = await RawConnection.open(service.running.url)
  // More than is buffered, less than closes the connection; all of it arrives before it is parsed, or the
  // rest later.
  const body = `--boundary is damaged\r\n${'x'.repeat(600_000)}`
  const head = generateHead(key, body.length).replace('application/json', 'multipart/form-data; boundary=b')
  for (const [index, early] of [body.length, 1000, 300_000].entries()) {
    client.send(head + body.slice(0, early))
    await client.receive(new RegExp(`(?:"code":"MALFORMED_REQUEST"[^]*){${index + 1}}\\}$`))
    client.send(body.slice(early))
  }
  client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await client.receive(/HTTP\/1\.1 200 /)
  assert.deepEqual(
    [...client.received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
    ['400', '400', '400', '200'],
  )
})

test('hundreds of clients that connect concurrently all wait until they are accepted', async () => {
  const count = Math.min(600, Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8')))
  const port = new URL(service.running.url).port
  const connections = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'))
  for (const connection of connections) connection.on('error', () => undefined)
  // After the calls to connect, and before this process accepts any.
  const waiting = await new Promise<number>(resolve =>
    process.nextTick(() => resolve(mostWaiting(Number(port), count))),
  )
  for (const connection of connections) connection.destroy()
  assert.equal(waiting, count)
})

/**
 * Counts connections waiting to be accepted on a port (Linux), reading until there are as many as wanted.
 * Blocks, so that none is accepted meanwhile.
 */
function mostWaiting(port: number, wanted: number): number {
  const listening = new RegExp(
    `:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+:0000 0A [\\dA-F]+:([\\dA-F]+)`,
  )
  let waiting = 0
  for (const untilMs = performance.now() + 5000; waiting < wanted && performance.now() < untilMs; )
    waiting = Number.parseInt(listening.exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1] ?? '0', 16)
  return waiting
}

test('a customer who fills the queue does not affect another one', async () => {
  const greedy = await service.customer(100)
  const modest = await service.customer(100)
  const held = await Promise.all(Array.from({ length: QUEUE_LIMIT }, () => occupy(greedy)))
  const answer = await service.generate(modest.key, {
    template_id: 'one-frame',
    artwork_url: `${service.origin.url}/red.png`,
    width: 8,
  })
  assert.equal(answer.status, 200)
  for (const connection of held) connection.socket.destroy()
})

test('many times the load: only 200 and 503, every credit accounted for, and /healthz answers throughout', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => service.customer(1000)))
  const requestsEach = process.env['VITRINE_TEST_SIZE'] === 'full' ? 100 : 10
  const over = new AbortController()
  const health = (async () => {
    const durationsMs: number[] = []
    while (!over.signal.aborted) {
      const startedMs = performance.now()
      assert.equal((await fetch(`${service.running.url}/healthz`)).status, 200)
      durationsMs.push(performance.now() - startedMs)
      await delay(20)
    }
    return durationsMs
  })()
  const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 200 }
  const outcomes = await Promise.all(
    customers.map(async ({ key }) => {
      const answers = await Promise.all(Array.from({ length: requestsEach }, () => service.generate(key, body)))
      const paid = answers.filter(({ status }) => status === 200).length
      assert(answers.every(({ status }) => status === 200 || status === 503))
      for (const { status, headers } of answers) if (status === 503) assert(Number(headers.get('retry-after')) >= 1)
      assert.equal(await service.balance(key), 1000 - paid)
      return paid
    }),
  )
  over.abort()
  assert((await health).length > 0)
  assert(outcomes.reduce((sum, paid) => sum + paid, 0) > 0)
  assert.deepEqual((await service.running.services.wallet.verifyLedger()).violations, [])
})
