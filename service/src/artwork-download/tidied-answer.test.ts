import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { TidiedAnswer } from './tidied-answer.ts'

test('an answer is complete even if its connection closes before it is read', async t => {
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'a'.repeat(1000)}`
  const server = createServer(socket => socket.end(answer)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const bound = server.address()
  assert.ok(bound !== null && typeof bound === 'object')
  const connection = connect(bound.port, '127.0.0.1')
  const tidied = new TidiedAnswer(connection)
  await once(connection, 'close')
  const read = await buffer(tidied)
  assert.equal(read.byteLength, answer.length)
})
