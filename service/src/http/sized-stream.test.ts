import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { AnswerSender, type SizedBody } from './answer-sender.ts'

/** What the server does with its next request. */
let answer: (raw: ServerResponse) => void = () => undefined
const server = createServer((_request, raw) => answer(raw))
let port = 0
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  port = address.port
})
after(() => server.close())

/** Sends a body to a client. @returns the client's end of it, the server's, and when the server is done */
async function sendTo(
  sender: AnswerSender,
  body: SizedBody,
): Promise<{ received: IncomingMessage; raw: ServerResponse; sent: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<{ raw: ServerResponse; sent: Promise<void> }>()
  answer = raw => {
    const sent = sender.send(raw, body, () => raw.writeHead(200, { 'Content-Length': body.sizeBytes }))
    sent.catch(() => raw.destroy())
    resolve({ raw, sent })
  }
  const [[received], answering] = await Promise.all([once(get({ port, agent: false }), 'response'), promise])
  return { received, ...answering }
}

/** Bytes that tell where they are. */
function bytesOf(sizeBytes: number, begin = 0): Buffer {
  return Buffer.from(Uint8Array.from({ length: sizeBytes }, (_, index) => (begin + index) * 7 + ((begin + index) >> 8)))
}

/** A body of so many bytes in pieces as they are asked for. */
function bodyOf(sizeBytes: number, onPiece: (pieceBytes: number) => void = () => undefined): SizedBody {
  return {
    sizeBytes,
    async *open(pieceBytes) {
      for (let begin = 0; begin < sizeBytes; begin += pieceBytes) {
        onPiece(pieceBytes)
        yield bytesOf(Math.min(pieceBytes, sizeBytes - begin), begin)
      }
    },
  }
}

test('bodies of any size arrive as they are, a small one read at once', async () => {
  for (const sizeBytes of [1, 65_535, 65_536, 65_537, 131_072, 1024 * 1024, 5_000_001]) {
    let pieceCount = 0
    const { received, sent } = await sendTo(
      new AnswerSender(),
      bodyOf(sizeBytes, () => (pieceCount += 1)),
    )
    assert((await buffer(received)).equals(bytesOf(sizeBytes)))
    await sent
    assert.equal(pieceCount, Math.ceil(sizeBytes / 1024 ** 2))
  }
})

test('the response has finished before its client can have all of it, however late the source says that it has ended', async () => {
  const end = Promise.withResolvers<void>()
  const { received, raw, sent } = await sendTo(new AnswerSender(), {
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
  await sent
})

test('a body that is not as long as it was said is never taken for a whole one', async () => {
  for (const [saidBytes, message] of [
    [199_999, /longer/],
    [200_001, /shorter/],
  ] as const) {
    const { received, sent } = await sendTo(new AnswerSender(), {
      sizeBytes: saidBytes,
      async *open() {
        yield bytesOf(100_000)
        yield bytesOf(100_000)
      },
    })
    await assert.rejects(sent, message)
    await assert.rejects(buffer(received), { code: 'ECONNRESET' })
  }
})

test('a body that cannot be read fails before anything is sent', async () => {
  const broken = new Error('broken')
  const failed = Promise.withResolvers<boolean>()
  answer = raw => {
    const body = {
      sizeBytes: 10,
      open: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(broken) }) }),
    }
    new AnswerSender()
      .send(raw, body, () => raw.writeHead(200))
      .catch((error: unknown) => {
        failed.resolve(error === broken && !raw.headersSent)
        raw.end()
      })
  }
  const [received] = await once(get({ port, agent: false }), 'response')
  received.resume()
  assert(await failed.promise)
})

test('beyond what all answers may hold, pieces are small; when readers leave there is room again, and sources are closed', async () => {
  const sender = new AnswerSender()
  let closed = 0
  const pieces: number[] = []
  const unread = (): SizedBody => ({
    sizeBytes: 64 * 1024 ** 2,
    async *open(pieceBytes) {
      pieces.push(pieceBytes)
      try {
        for (;;) yield Buffer.alloc(pieceBytes)
      } finally {
        closed += 1
      }
    },
  })
  const waiting = []
  for (let i = 0; i < 65; i++) waiting.push(await sendTo(sender, unread()))
  assert.deepEqual(pieces, [...Array.from({ length: 64 }, () => 1024 ** 2), 64 * 1024])
  for (const { received } of waiting) received.destroy()
  await Promise.all(waiting.map(({ sent }) => sent))
  assert.equal(closed, 65)
  await sendTo(sender, unread()).then(({ received }) => received.destroy())
  assert.equal(pieces.at(-1), 1024 ** 2)
})
