import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import fastify, { type FastifyInstance } from 'fastify'
import { ListeningSockets } from './listening-sockets.ts'

const HOST = '127.0.0.1'

/** Opens many connections and counts, in shared memory, those that the system says are open. */
const CLIENT = `
  const { connect } = require('node:net')
  const { workerData: { port, count, opened } } = require('node:worker_threads')
  const sockets = Array.from({ length: count }, () => connect(port, '${HOST}', () => {
    Atomics.add(opened, 0, 1)
    Atomics.notify(opened, 0)
  }))
  setInterval(() => sockets.length, 1000)`

async function open(app: FastifyInstance): Promise<{ port: number; sockets: ListeningSockets }> {
  const sockets = await ListeningSockets.open(app, { host: HOST, port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  return { port: address.port, sockets }
}

test('connections that have come in while the event loop was busy are accepted many in a turn of it', async t => {
  const count = 64
  const app = fastify()
  const { port, sockets } = await open(app)
  const accepted: Socket[] = []
  app.server.on('connection', (socket: Socket) => accepted.push(socket))
  const opened = new Int32Array(new SharedArrayBuffer(4))
  const client = new Worker(CLIENT, { eval: true, workerData: { port, count, opened } })
  t.after(async () => {
    await client.terminate()
    await Promise.all([app.close(), sockets.close()])
  })
  await once(client, 'online')
  for (let seen = 0; seen < count; seen = Atomics.load(opened, 0)) Atomics.wait(opened, 0, seen, 20_000)
  let turns = 0
  for (; accepted.length < count; turns += 1) await nextTurn()
  assert.ok(turns <= count / 2, `${count} connections took ${turns} turns`)
})

test('a close waits for the answers on every connection, and takes no new ones', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  const asked: PromiseWithResolvers<void>[] = []
  app.get('/', async () => {
    const gate = Promise.withResolvers<void>()
    asked.push(gate)
    await gate.promise
    return 'done'
  })
  const { port, sockets } = await open(app)
  const clients = Array.from({ length: 32 }, () => connect(port, HOST))
  const answers = clients.map(readAll)
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  while (asked.length < clients.length) await nextTurn()
  let isClosed = false
  const closed = Promise.all([app.close(), sockets.close()]).then(() => (isClosed = true))
  while (app.server.listening) await nextTurn()
  const late = connect(port, HOST)
  await once(late, 'error')
  for (const gate of asked) {
    assert.equal(isClosed, false)
    gate.resolve()
  }
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*done$/)
  await closed
})

test('the port is refused to whoever wants it for itself', async () => {
  const app = fastify()
  const { port, sockets } = await open(app)
  const other = createServer().listen(port, HOST)
  const [error] = await once(other, 'error')
  assert.equal(error.code, 'EADDRINUSE')
  await Promise.all([app.close(), sockets.close()])
})

test('what cannot be listened on is an error, and nothing is left open', async () => {
  const app = fastify()
  await assert.rejects(ListeningSockets.open(app, { host: '192.0.2.1', port: 0 }), /EADDRNOTAVAIL/)
  await app.close()
})

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', piece => (text += piece.toString()))
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
  })
}
