import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { errorBodySchema } from '@vitrine/contract'
import { parseAnswers, type StreamedAnswer } from './answer-stream.ts'
import { RawConnection } from './raw-connection.ts'
import { type Customer, TestService } from './test-service.ts'

let service: TestService
let customer: Customer
before(async () => {
  service = await TestService.start('sqlite', { deadlines: { headersMs: 500 } })
  customer = await service.customer(1000)
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

/** A file of several megabytes that the service sends: more than the kernel buffers. */
const LARGE = '/docs/js/scalar.js'

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** All answers to these bytes until the connection ends. */
async function answersTo(bytes: string): Promise<readonly StreamedAnswer[]> {
  using connection = await RawConnection.open(service.running.url)
  connection.send(bytes)
  await connection.ended()
  assert.equal(connection.fault, null)
  return parseAnswers(connection.received)
}

function assertRefused(answer: StreamedAnswer | undefined): void {
  assert(answer !== undefined)
  assert.equal(answer.status, 400)
  errorBodySchema('MALFORMED_REQUEST').parse(JSON.parse(answer.body))
  assert.equal(answer.headers.get('connection'), 'close')
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
}

const post = (headers: string, body: string, version = '1.1') =>
  `POST /api/v1/mockups/generate HTTP/${version}\r\n${headers}\r\nContent-Type: application/json\r\n\r\n${body}`

for (const [row, bytes] of [
  ['HTTP/1.0 with Transfer-Encoding', post('Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n', '1.0')],
  [
    'HTTP/1.0 with Transfer-Encoding and keep-alive',
    post('Connection: keep-alive\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n', '1.0'),
  ],
  ['gzip, chunked', post('Host: x\r\nTransfer-Encoding: gzip, chunked', '2\r\n{}\r\n0\r\n\r\n')],
  ['identity, chunked', post('Host: x\r\nTransfer-Encoding: identity, chunked', '2\r\n{}\r\n0\r\n\r\n')],
  [
    'chunked in two headers',
    post('Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'),
  ],
  [
    'gzip and chunked in two headers',
    post('Host: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'),
  ],
  ['identity', post('Host: x\r\nTransfer-Encoding: identity', '{}')],
  ['chunked, identity', post('Host: x\r\nTransfer-Encoding: chunked, identity', '2\r\n{}\r\n0\r\n\r\n')],
  ['an empty Transfer-Encoding', post('Host: x\r\nTransfer-Encoding:', '{}')],
  ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['two equal Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
  ['two Host headers in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['no Host header with an absolute target', 'GET http://x/healthz HTTP/1.1\r\n\r\n'],
  ['an invalid Host', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['two hosts in one header', 'GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n'],
  ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['a Host with credentials', 'GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n'],
  ['two different Content-Lengths', post('Host: x\r\nContent-Length: 2\r\nContent-Length: 3', '{}')],
  ['two equal Content-Lengths', post('Host: x\r\nContent-Length: 2\r\nContent-Length: 2', '{}')],
  ['two Content-Lengths in one header', post('Host: x\r\nContent-Length: 2, 2', '{}')],
  ['a Content-Length with a sign', post('Host: x\r\nContent-Length: +2', '{}')],
  ['a Content-Length and chunks', post('Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['a header with a blank before its colon', 'GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['a header that goes on in the next line', 'GET /healthz HTTP/1.1\r\nHost: x\r\n X: y\r\n\r\n'],
  ['lines that end without a carriage return', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
] as const)
  test(`${row}: 400 as JSON, and nothing after it on the connection is answered`, async () => {
    const answers = await answersTo(`${bytes}${HEALTH}`)
    assert.equal(answers.length, 1)
    assertRefused(answers[0])
  })

test('what clients usually send is accepted', async () => {
  for (const [bytes, status] of [
    ['GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 200],
    ['GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n', 200],
    ['GET /healthz HTTP/1.1\r\nHost: a_b-c.example:80\r\nConnection: close\r\n\r\n', 200],
    [post('Host: x\r\nConnection: close\r\nTransfer-Encoding: Chunked', '2\r\n{}\r\n0\r\n\r\n'), 401],
  ] as const)
    assert.deepEqual(
      (await answersTo(bytes)).map(answer => answer.status),
      [status],
      bytes,
    )
})

test('a request after a malformed one has no effect', async () => {
  const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 8 })
  const paid = `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const asked = service.origin.asked.length
  const answers = await answersTo(`GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${paid}${paid}`)
  assert.equal(answers.length, 1)
  assertRefused(answers[0])
  assert.equal(service.origin.asked.length, asked)
  assert.equal(await service.balance(customer.key), 1000)
})

test('a parser error is never sent inside another answer: earlier answers arrive complete, then the error', async () => {
  const large = createHash('sha256').update(Buffer.from(await (await fetch(service.running.url + LARGE)).bytes()))
  const wanted = large.digest('hex')
  for (const garbage of [
    'no http\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    using connection = await RawConnection.open(service.running.url)
    connection.socket.pause()
    connection.send(`GET ${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n${HEALTH}${garbage}`)
    // The first answer fills the kernel's buffers and waits in the middle of its body.
    setTimeout(() => connection.socket.resume(), 200)
    await connection.ended()
    const answers = parseAnswers(connection.received)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, garbage.length > 10_000 ? 431 : 400],
    )
    const [first, second, last] = answers
    assert.equal(
      createHash('sha256')
        .update(Buffer.from(first?.body ?? '', 'latin1'))
        .digest('hex'),
      wanted,
    )
    assert.equal(second?.body, '{"status":"ok"}')
    assert.equal(last?.headers.get('connection'), 'close')
  }
})

test('a parser error waits for a mockup in progress, which is delivered and charged', async () => {
  const { key } = await service.customer(1)
  const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/late/red.png`, width: 8 })
  const head = `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const answers = await answersTo(`${head}${body}no http\r\n\r\nno http\r\n\r\n`)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400],
  )
  assert.equal(await service.balance(key), 0)
})

test('incomplete headers after a request are 408 after its answer, and do not cut it off', async () => {
  const { key } = await service.customer(1)
  const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/late/red.png`, width: 8 })
  const head = `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const answers = await answersTo(`${head}${body}GET /healthz HT`)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 408],
  )
})

test('a body that becomes invalid during an earlier answer is answered after it, with its own request’s headers', async () => {
  const { key } = await service.customer(1)
  using connection = await RawConnection.open(service.running.url)
  connection.socket.pause()
  connection.send(
    `GET ${LARGE} HTTP/1.1\r\nHost: x\r\n\r\nPOST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
  )
  setTimeout(() => connection.socket.resume(), 200)
  await connection.ended()
  const answers = parseAnswers(connection.received)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400],
  )
  assertRefused(answers[1])
})
