import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { StartRefusedError, startService } from '../../src/main.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { generateHead, RawConnection } from './raw-connection.ts'
import { TestService } from './test-service.ts'

test('a stopping service finishes requests in progress, refuses new ones and closes everything', async () => {
  await using service = await TestService.start('sqlite')
  const { key } = await service.customer(10)
  const body = { template_id: 'two-frames', artwork_url: `${service.origin.url}/red.png`, width: 2000 }
  const requests = [1, 2, 3].map(() => service.generate(key, body))
  const firstDone = Promise.race(requests).then(() => true)
  const { pool } = service.running.services
  const allIn = () => pool.state.admittedCount + pool.state.busyCount === requests.length
  while (!allIn() && !(await Promise.race([firstDone, delay(5, false)]))) continue
  using kept = await RawConnection.open(service.running.url)
  kept.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await kept.receive(/ok/)
  const closed = service.running.close()
  for (const answer of await Promise.all(requests)) {
    assert.equal(answer.status, 200)
  }
  await closed
  await kept.ended()
  await assert.rejects(fetch(`${service.running.url}/healthz`))
})

test('while the service stops, requests on open connections are refused and end them; authentication comes first', async () => {
  await using service = await TestService.start('sqlite')
  const { key } = await service.customer(1)
  // Requests whose head is incomplete when the stop begins.
  using known = await RawConnection.open(service.running.url)
  using unknown = await RawConnection.open(service.running.url)
  for (const [connection, sent] of [
    [known, key],
    [unknown, 'vt_nobody'],
  ] as const) {
    connection.send(generateHead(sent, 0).slice(0, -2))
  }
  await delay(200)
  const closed = service.running.close()
  await delay(200)
  for (const connection of [known, unknown]) connection.send('\r\n')
  for (const connection of [known, unknown]) await connection.ended()
  assert.match(known.received, /^HTTP\/1\.1 503 [^]*"code":"SERVER_BUSY"/)
  assert.match(known.received, /\r\nretry-after: \d+\r\n/i)
  assert.match(unknown.received, /^HTTP\/1\.1 401 [^]*"code":"INVALID_API_KEY"/)
  for (const { received } of [known, unknown]) assert.match(received, /\r\nconnection: close\r\n/i)
  await closed
})

test('a leaving service reports that it is not ready, serves for a time, and closes connections', async () => {
  await using service = await TestService.start('sqlite')
  const { key } = await service.customer(1)
  const { url } = service.running
  const closed = service.running.close(1_500)
  const readiness = await fetch(`${url}/readyz`)
  assert.deepEqual([readiness.status, await readiness.json()], [503, { status: 'not ready', reason: 'leaving' }])
  // A proxy that has not noticed yet, on a new connection.
  const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 100 }
  const answer = await service.generate(key, body)
  assert.equal(answer.status, 200, answer.bytes.toString())
  assert.equal(answer.headers.get('connection'), 'close')
  await closed
  await assert.rejects(fetch(`${url}/healthz`))
})

async function serveInProcess(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'serve-process.ts')], {
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
  const [printed] = await once(child.stdout, 'data')
  return { child, url: String(printed).trim() }
}

test('SIGTERM ends the process with code 0, however often it is sent; a later second Ctrl-C exits at once', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-stop-'))
  try {
    const first = await serveInProcess(dataDir)
    first.child.kill('SIGTERM')
    assert.deepEqual(await once(first.child, 'exit'), [0, null])

    const second = await serveInProcess(dataDir)
    // A request whose head never ends delays the first stop as long as possible.
    using connection = await RawConnection.open(second.url)
    connection.send('GET /healthz HTTP/1.1\r\nHost: x\r\n')
    await delay(200)
    second.child.kill('SIGTERM')
    for (let i = 0; i < 25; i++) {
      second.child.kill('SIGTERM')
      await delay(100)
    }
    assert.equal(second.child.exitCode, null)
    second.child.kill('SIGINT')
    assert.deepEqual(await once(second.child, 'exit'), [1, null])
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('a port in use is refused in one sentence, before anything is created', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  assert(address !== null && typeof address === 'object')
  const dataDir = path.join(os.tmpdir(), `vitrine-never-${process.pid}`)
  const settings = loadSettings({ HOST: '127.0.0.1', PORT: String(address.port), DATA_DIR: dataDir })
  try {
    await assert.rejects(startService(settings, { logger: createLogger('silent') }), (error: unknown) => {
      assert(error instanceof StartRefusedError)
      assert.match(error.message, new RegExp(`^Expected a free port for PORT but ${address.port} is taken`))
      return true
    })
    await assert.rejects(rm(dataDir, { recursive: true }), { code: 'ENOENT' })
  } finally {
    taken.close()
  }
})
