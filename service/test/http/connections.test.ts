import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConnectionsMax } from '../../src/http/connection-bounds.ts'
import { CLIENT_CONNECTIONS_MAX, CONNECTIONS_CHECK_MS, UNUSED_AFTER_MS } from '../../src/http/limits.ts'
import { generateHead, RawConnection } from './raw-connection.ts'
import { TestService } from './test-service.ts'

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** An address of this machine other than loopback, if there is one. */
const outerAddress = Object.values(os.networkInterfaces())
  .flatMap(list => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** Connections that are closed at the end of the test. */
class Clients implements Disposable {
  readonly #url: string
  readonly all: RawConnection[] = []

  constructor(url: string) {
    this.#url = url
  }

  /** Opens this many connections, each of which has been answered and is now idle. */
  async open(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const connection = await RawConnection.open(this.#url)
      this.all.push(connection)
      connection.send(HEALTH)
      await connection.receive(/"ok"/)
    }
  }

  /** Uses all connections once more, concurrently. */
  async useAll(): Promise<void> {
    for (const connection of this.all) connection.send(HEALTH)
    await Promise.all(this.all.map(connection => connection.receive(/"ok"[^]*"ok"/)))
  }

  get openCount(): number {
    return this.all.filter(({ isEnded }) => !isEnded).length
  }

  /** Waits until this many are left. */
  async left(count: number): Promise<void> {
    while (this.openCount > count) await delay(20)
    // Any excess would be closed within this time.
    await delay(2 * CONNECTIONS_CHECK_MS)
    assert.equal(this.openCount, count)
  }

  [Symbol.dispose](): void {
    for (const connection of this.all) connection[Symbol.dispose]()
  }
}

/** A request that stays in progress until its connection ends. */
async function stalled(service: TestService, url: string): Promise<RawConnection> {
  const { key } = await service.customer(1)
  const path = `/stall?${key}`
  const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}${path}` })
  const connection = await RawConnection.open(url)
  connection.send(generateHead(key, body.length) + body)
  while (!service.origin.asked.includes(path)) await delay(5)
  return connection
}

test('a client’s idle connections beyond its limit are closed, longest idle first, and others are not', async () => {
  await using service = await TestService.start('sqlite')
  using other = await stalled(service, service.running.url)
  using clients = new Clients(service.running.url)
  await clients.open(CLIENT_CONNECTIONS_MAX + 20)
  await clients.left(CLIENT_CONNECTIONS_MAX - 1)
  assert.equal(other.isEnded, false, 'a connection in use was closed')
  assert(clients.all.slice(0, 21).every(({ isEnded }) => isEnded))
  const metrics = await (await fetch(`${service.running.url}/metrics`)).text()
  assert.match(metrics, /^vitrine_connections_closed_total\{bound="client"\} 2[1-9]$/m)
})

test('connections that never send complete headers count as idle', async () => {
  await using service = await TestService.start('sqlite', { deadlines: { headersMs: 60_000 } })
  using clients = new Clients(service.running.url)
  for (let index = 0; index < CLIENT_CONNECTIONS_MAX + 5; index += 1) {
    const connection = await RawConnection.open(service.running.url)
    clients.all.push(connection)
    connection.send('GET /healthz HTTP/1.1\r\nHost:')
  }
  await clients.left(CLIENT_CONNECTIONS_MAX)
})

test('a trusted proxy’s connections are not limited', async () => {
  await using service = await TestService.start('sqlite', { environment: { TRUST_PROXY: '127.0.0.0/8' } })
  using clients = new Clients(service.running.url)
  await clients.open(CLIENT_CONNECTIONS_MAX + 5)
  await clients.left(CLIENT_CONNECTIONS_MAX + 5)
})

test('a client on another machine gets no connection beyond the limit while all of its own are active', {
  skip: outerAddress === undefined && 'this machine has no address that others see',
}, async () => {
  await using service = await TestService.start('sqlite', { environment: { HOST: '0.0.0.0' } })
  const url = `http://${outerAddress}:${new URL(service.running.url).port}`
  using clients = new Clients(url)
  await clients.open(CLIENT_CONNECTIONS_MAX)
  await clients.useAll()
  using refused = await RawConnection.open(url)
  await refused.ended()
  assert.equal(clients.openCount, CLIENT_CONNECTIONS_MAX)
  using local = await RawConnection.open(service.running.url)
  local.send(HEALTH)
  await local.receive(/"ok"/)
  await delay(UNUSED_AFTER_MS)
  using accepted = await RawConnection.open(url)
  accepted.send(HEALTH)
  await accepted.receive(/"ok"/)
  await clients.left(CLIENT_CONNECTIONS_MAX - 1)
})

test('at the total limit the longest idle connection is closed for a new one; active ones are not', async () => {
  const connectionsMax = 6
  await using service = await TestService.start('sqlite', { environment: { CONNECTIONS_MAX: String(connectionsMax) } })
  const { url } = service.running
  using clients = new Clients(url)
  await clients.open(connectionsMax)
  assert.equal(clients.openCount, connectionsMax)
  await clients.open(1)
  await clients.all[0]?.ended()
  assert.equal(clients.openCount, connectionsMax)
  using held = new DisposableStack()
  for (let index = 0; index < connectionsMax; index += 1) held.use(await stalled(service, url))
  using refused = await RawConnection.open(url)
  await refused.ended()
  assert.equal(refused.received, '')
  held.dispose()
  while (service.running.services.pool.state.admittedCount > 0) await delay(20)
  using accepted = await RawConnection.open(url)
  accepted.send(HEALTH)
  await accepted.receive(/"ok"/)
})

test('while there are many connections, idle ones are closed early', async () => {
  await using service = await TestService.start('sqlite', { environment: { CONNECTIONS_MAX: '10' } })
  using clients = new Clients(service.running.url)
  await clients.open(8)
  // Otherwise keep-alive connections stay open for 65 s.
  while (clients.openCount > 0) await delay(50)
  using few = new Clients(service.running.url)
  await few.open(4)
  await few.left(4)
})

test('with few descriptors, connections take at most half of them, and the service answers throughout', async () => {
  assert.equal(loadConnectionsMax(10), 10)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-few-'))
  const program = path.join(import.meta.dirname, 'serve-process.ts')
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, program], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      RENDER_WORKERS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [printed] = await once(child.stdout, 'data')
    const url = String(printed).trim()
    using clients = new Clients(url)
    await clients.open(300)
    while (clients.openCount > 256 / 2) await delay(20)
    const files = await readdir(`/proc/${child.pid}/fd`)
    assert(files.length < 256 - 40, `${files.length} descriptors are open`)
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await rm(dataDir, { recursive: true })
  }
})
