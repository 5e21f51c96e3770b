import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer, json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { type SizedBody, sendSized } from './sized-stream.ts'

/** The server's next answer, and a callback for its response. */
let next: { readonly body: SizedBody; readonly onResponse: (raw: ServerResponse) => void }
let port = 0
const app = Fastify()
app.get('/', async (_request, reply) => {
  next.onResponse(reply.raw)
  await sendSized(reply, next.body, { 'X-Success': 'yes' })
})
app.setErrorHandler((error, _request, reply) => reply.code(500).send({ message: String(error) }))
before(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  assert(address !== null && typeof address === 'object')
  port = address.port
})
after(() => app.close())

/** Sends a body to a client. @returns the client's and the server's side of it */
async function send(body: SizedBody): Promise<{ received: IncomingMessage; raw: ServerResponse }> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  next = { body, onResponse: resolve }
  const [[received], raw] = await Promise.all([once(get({ port, agent: false }), 'response'), promise])
  return { received, raw }
}

/** Bytes that differ by position. */
function bytesOf(sizeBytes: number, offset = 0): Buffer {
  return Buffer.from(
    Uint8Array.from({ length: sizeBytes }, (_, index) => (offset + index) * 7 + ((offset + index) >> 8)),
  )
}

for (const [pieces, choosePieceBytes] of [
  ['of the size that is asked for', (asked: number) => asked],
  ['of a kilobyte', () => 1024],
  ['of a megabyte', () => 1024 * 1024],
] as const)
  test(`bodies of any size in pieces ${pieces} arrive as they are`, async () => {
    for (const sizeBytes of [1, 65_535, 65_536, 65_537, 131_072, 1024 * 1024, 5_000_001]) {
      const { received } = await send({
        sizeBytes,
        async *open(asked) {
          const pieceBytes = choosePieceBytes(asked)
          for (let offset = 0; offset < sizeBytes; offset += pieceBytes) {
            yield bytesOf(0)
            yield bytesOf(Math.min(pieceBytes, sizeBytes - offset), offset)
          }
        },
      })
      assert.equal(received.headers['content-length'], String(sizeBytes))
      assert((await buffer(received)).equals(bytesOf(sizeBytes)))
    }
  })

test('the response has finished before its client can have all of it, however late the source says that it has ended', async () => {
  const end = Promise.withResolvers<void>()
  const { received, raw } = await send({
    sizeBytes: 300_000,
    async *open() {
      yield bytesOf(200_000)
      yield bytesOf(100_000, 200_000)
      await end.promise
    },
  })
  assert((await buffer(received)).equals(bytesOf(300_000)))
  assert(raw.writableFinished)
  end.resolve()
})

test('a body that is not as long as stated is never taken for a whole one', async () => {
  for (const sizeBytes of [199_999, 200_001]) {
    const { received } = await send({
      sizeBytes,
      async *open() {
        yield bytesOf(100_000)
        yield bytesOf(100_000)
      },
    })
    await assert.rejects(buffer(received), { code: 'ECONNRESET' })
  }
})

test('a body that cannot be read at all is an error that is answered without the headers of the body', async () => {
  const { received } = await send({
    sizeBytes: 10,
    open: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) }),
  })
  assert.equal(received.statusCode, 500)
  assert.equal(received.headers['x-success'], undefined)
  assert.deepEqual(await json(received), { message: 'Error: broken' })
})

test('of a body that its client does not read little is held, and when the client leaves its source is closed', async () => {
  const closed = Promise.withResolvers<void>()
  let readBytes = 0
  const { received, raw } = await send({
    sizeBytes: 64 * 1024 ** 2,
    async *open(pieceBytes) {
      try {
        for (;;) {
          readBytes += pieceBytes
          yield Buffer.alloc(pieceBytes)
        }
      } finally {
        closed.resolve()
      }
    },
  })
  // Until the kernel's buffers are full.
  for (let before = -1; before !== readBytes; await delay(100)) before = readBytes
  assert(readBytes < 32 * 1024 ** 2, `${readBytes} bytes were read`)
  assert(raw.writableLength <= 64 * 1024, `${raw.writableLength} bytes were written at once`)
  received.destroy()
  await closed.promise
})
