import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { buildApiKey } from '../../src/api-keys/api-key-format.ts'
import { generateHead, RawConnection } from './raw-connection.ts'
import { TestService } from './test-service.ts'

const PER_MINUTE = 20

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', {
    environment: { PUBLIC_URL: 'https://vitrine.example', RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) },
  })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

const mockup = () =>
  JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 8 })

/** Requests in the log whose client left before their answer. */
const countLeft = () => service.log.filter(line => line.includes('"outcome":"client gone"')).length

/** Blocks key look-ups until disposed of, and counts them. */
function holdLookUps(): Disposable & { readonly count: number; readonly release: () => void } {
  const { apiKeys } = service.running.services
  const authenticate = apiKeys.authenticate.bind(apiKeys)
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  apiKeys.authenticate = async (...asked) => {
    count += 1
    await promise
    return authenticate(...asked)
  }
  return {
    get count() {
      return count
    },
    release: resolve,
    [Symbol.dispose]() {
      resolve()
      apiKeys.authenticate = authenticate
    },
  }
}

test('a body that arrives byte by byte after its request was admitted is read', async () => {
  const { key } = await service.customer(1)
  using connection = await RawConnection.open(service.running.url)
  const body = mockup()
  connection.send(generateHead(key, body.length))
  while (service.running.services.pool.state.admittedCount === 0) await nextTurn()
  for (const letter of body) {
    connection.send(letter)
    await nextTurn()
  }
  assert.match(await connection.receive(/^HTTP[^]*\r\n\r\n./), /^HTTP\/1\.1 200 /)
  assert.equal(service.running.services.pool.state.admittedCount, 0)
})

test('a query after the path of a generation has no effect', async () => {
  const { key } = await service.customer(1)
  const answer = await service.send({ method: 'POST', path: '/mockups/generate?a=%', key, body: JSON.parse(mockup()) })
  assert.equal(answer.status, 200)
})

for (const isKnown of [true, false])
  test(`a client that leaves while its ${isKnown ? '' : 'un'}known key is looked up is counted, and not admitted`, async () => {
    const { key } = isKnown ? await service.customer(1) : { key: buildApiKey() }
    const { headers } = await service.send({ key })
    const left = Number(headers.get('x-ratelimit-remaining'))
    const leftBefore = countLeft()
    using lookUps = holdLookUps()
    using connection = await RawConnection.open(service.running.url)
    connection.send(`${generateHead(key, 2)}{}`)
    while (lookUps.count === 0) await nextTurn()
    connection.socket.destroy()
    while (countLeft() === leftBefore) await delay(5)
    lookUps.release()
    const next = await service.send({ key })
    assert.equal(Number(next.headers.get('x-ratelimit-remaining')), left - 2)
    assert.equal(service.running.services.pool.state.admittedCount, 0)
    assert.equal(connection.received, '')
  })

test('a key that cannot be looked up because of a defect is 500 INTERNAL_ERROR with a request id', async () => {
  const { key } = await service.customer(1)
  const { apiKeys } = service.running.services
  const authenticate = apiKeys.authenticate.bind(apiKeys)
  apiKeys.authenticate = async () => {
    throw new Error('no such column')
  }
  try {
    const answer = await fetch(`${service.running.url}/api/v1/templates`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 500)
    assert.partialDeepStrictEqual(await answer.json(), {
      code: 'INTERNAL_ERROR',
      details: { request_id: answer.headers.get('x-request-id') },
    })
  } finally {
    apiKeys.authenticate = authenticate
  }
})

test('a connection stays open after a refusal for lack of a key, and the refused request’s body is discarded', async () => {
  const { key } = await service.customer(1)
  using connection = await RawConnection.open(service.running.url)
  const body = 'x'.repeat(100_000)
  connection.send(generateHead(buildApiKey(), body.length) + body)
  await connection.receive(/INVALID_API_KEY[^]*\}$/)
  connection.send(`${generateHead(key, 2)}{}`)
  assert.match(await connection.receive(/MISSING_TEMPLATE_ID[^]*\}$/), /HTTP\/1\.1 400 /)
})

/** The headers of an answer, with lower-case names. */
const headersOf = (answer: string): ReadonlyMap<string, string> =>
  new Map(
    (answer.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )

test('every answer has the default headers, including to malformed HTTP and to a body that becomes invalid', async () => {
  const { key } = await service.customer(1)
  const chunked = generateHead(key, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')
  for (const [bytes, status] of [
    ['GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    ['GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['hello\r\n\r\n', 400],
    [chunked, 400],
  ] as const) {
    using connection = await RawConnection.open(service.running.url)
    connection.send(bytes)
    if (bytes === chunked) {
      while (service.running.services.pool.state.admittedCount === 0) await nextTurn()
      connection.send('no chunk\r\n')
    }
    await connection.ended()
    const headers = headersOf(connection.received)
    assert.match(connection.received, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(headers.get('x-request-id') ?? '', /^req_[0-9A-Z]{22}$/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains')
    assert.equal(headers.get('connection'), 'close')
    if (bytes === chunked) assert.equal(headers.get('x-ratelimit-limit'), String(PER_MINUTE))
  }
})

test('outside of the API a wrong method is 405 on paths with a parameter, too, and odd paths do not exist', async () => {
  const wrong = await fetch(`${service.running.url}/thumbnails/x`, { method: 'POST' })
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD'])
  for (const path of ['/:name(((', '/*', '/thumbnails/x/y', '//healthz', '/healthz/%2e']) {
    using connection = await RawConnection.open(service.running.url)
    connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await connection.ended()
    assert.match(connection.received, /^HTTP\/1\.1 404 /, path)
  }
})
