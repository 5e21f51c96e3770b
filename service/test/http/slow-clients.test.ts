import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateHead, RawConnection } from './raw-connection.ts'
import { TestService } from './test-service.ts'

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', {
    deadlines: { headersMs: 500, bodyMs: 1500, bodyIdleMs: 500, readerSpanMs: 500, lingerMs: 300 },
  })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

/** Sends a byte at intervals until the connection ends. */
async function drip(connection: RawConnection, everyMs: number): Promise<void> {
  while (!connection.isEnded) {
    connection.send('x')
    await delay(everyMs)
  }
}

test('headers that arrive byte by byte are 408 REQUEST_TIMEOUT as JSON', async () => {
  using connection = await RawConnection.open(service.running.url)
  connection.send('GET /api/v1/templates HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await drip(connection, 100)
  assert.match(connection.received, /^HTTP\/1\.1 408 /)
  assert.match(connection.received, /"code":"REQUEST_TIMEOUT"/)
})

test('a silent connection is closed', async () => {
  using connection = await RawConnection.open(service.running.url)
  await connection.ended()
})

test('a body that pauses is 408 REQUEST_TIMEOUT with all headers, and costs nothing', async () => {
  const { key } = await service.customer(1)
  using connection = await RawConnection.open(service.running.url)
  connection.send(`${generateHead(key, 1000)}{"template_id":`)
  const answer = await connection.receive(/\}$/)
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /"code":"REQUEST_TIMEOUT"/)
  assert.match(answer, /\r\nx-ratelimit-limit: /i)
  await connection.ended()
  assert.equal(await service.balance(key), 1)
})

test('a body that arrives byte by byte is 408 REQUEST_TIMEOUT although it never pauses for long', async () => {
  const { key } = await service.customer(1)
  using connection = await RawConnection.open(service.running.url)
  connection.send(generateHead(key, 100_000))
  await drip(connection, 50)
  assert.match(connection.received, /^HTTP\/1\.1 408 /)
})

test('an upload that its client aborts leaves no file behind', async () => {
  const { key } = await service.customer(1)
  const folder = path.join(service.dataDir, 'tmp')
  using connection = await RawConnection.open(service.running.url)
  const part = '--b\r\nContent-Disposition: form-data; name="artwork"; filename="a.png"\r\n\r\n'
  const head = generateHead(key, 1_000_000).replace('application/json', 'multipart/form-data; boundary=b')
  connection.send(head + part + 'x'.repeat(100_000))
  while ((await readdir(folder)).length === 0) await delay(5)
  connection.socket.destroy()
  while ((await readdir(folder)).length > 0) await delay(20)
  assert.equal(await service.balance(key), 1)
})

test('a client that does not read its answers is disconnected', async () => {
  const accepted = once(service.running.app.server, 'connection')
  using connection = await RawConnection.open(service.running.url)
  const [served] = await accepted
  assert(served instanceof Socket)
  connection.socket.pause()
  // Some 4 MB each: more than the kernel buffers for a client that does not read.
  for (let request = 0; request < 6; request++) connection.send('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(served, 'close')
})

test('after all that, a normal request is answered', async () => {
  const { key } = await service.customer(1)
  const answer = await service.generate(key, {
    template_id: 'one-frame',
    artwork_url: `${service.origin.url}/red.png`,
    width: 8,
  })
  assert.equal(answer.status, 200)
})
