import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { buildChapters, errorCodes, SAMPLE_ARTWORK_PATH } from '@vitrine/contract'
import { describeContract, describeOnOneDatabase, errorOf, type TestService } from '../http/test-service.ts'

/** Sends bytes and reads the answer until the connection ends. */
async function talk({ running }: TestService, bytes: string): Promise<string> {
  const { hostname, port } = new URL(running.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  socket.setTimeout(10_000, () => socket.destroy())
  return text(socket)
}

describeOnOneDatabase('interface.md, "Paths, methods and load"', use => {
  for (const path of ['/no-such-path', '/', '/templates/', '/Templates', '/mockups', '/%zz', '/templates/../x'])
    test(`GET ${path} is 404 NOT_FOUND`, async () => {
      const { key } = await use().customer()
      const answer = await use().send({ path, key })
      assert.deepEqual([answer.status, errorOf(answer).code], [404, 'NOT_FOUND'])
    })

  for (const [method, path, allow] of [
    ['GET', '/mockups/generate', 'POST'],
    ['PUT', '/mockups/generate', 'POST'],
    ['POST', '/templates', 'GET, HEAD'],
    ['DELETE', '/billing/balance', 'GET, HEAD'],
    ['OPTIONS', '/billing/usage', 'GET, HEAD'],
    ['PROPFIND', '/templates', 'GET, HEAD'],
  ] as const)
    test(`${method} ${path} is 405 METHOD_NOT_ALLOWED and allows ${allow}`, async () => {
      const { key } = await use().customer()
      const answer = await use().send({ method, path, key })
      assert.deepEqual([answer.status, errorOf(answer).code], [405, 'METHOD_NOT_ALLOWED'])
      assert.equal(answer.headers.get('allow'), allow)
    })

  test('HEAD answers like GET, without a body', async () => {
    const { key } = await use().customer()
    const answer = await use().send({ method: 'HEAD', key })
    assert.deepEqual([answer.status, answer.bytes.length], [200, 0])
  })

  test('every answer has a unique X-Request-Id', async () => {
    const service = use()
    const ids = new Set<string>()
    for (const path of [
      '/api/v1/templates',
      '/healthz',
      '/docs/',
      '/api/v1/openapi.json',
      '/nowhere',
      '/thumbnails/x',
    ]) {
      const answer = await fetch(service.running.url + path)
      ids.add(answer.headers.get('x-request-id') ?? '')
      await answer.bytes()
    }
    assert.equal(ids.size, 6)
    for (const id of ids) assert.match(id, /^req_[0-9A-Z]{22}$/)
  })

  test('the served document is the committed one with the service’s address, and needs no key', async () => {
    const { url } = use().running
    const answer = await fetch(`${url}/api/v1/openapi.json`)
    const { default: committed } = await import('@vitrine/contract/openapi.json', { with: { type: 'json' } })
    const here = JSON.stringify(committed).replaceAll('http://localhost:8080', url)
    assert.equal(await answer.text(), here)
  })

  test('/llms.txt is the guide as text for every origin: first mockup, retries, limits, every error', async () => {
    const { url } = use().running
    const answer = await fetch(`${url}/llms.txt`)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const text = await answer.text()
    for (const { title } of buildChapters(url)) assert.ok(text.includes(`\n## ${title}\n`), title)
    for (const code of errorCodes) assert.ok(text.includes(`\`${code}\``), code)
    const sample = await fetch(url + SAMPLE_ARTWORK_PATH)
    assert.deepEqual([sample.status, sample.headers.get('content-type')], [200, 'image/jpeg'])
    await sample.bytes()
  })

  test('/healthz answers without a key', async () => {
    assert.equal((await fetch(`${use().running.url}/healthz`)).status, 200)
  })

  test('/metrics answers requests from this machine, but not through a proxy on it', async () => {
    const { url } = use().running
    const answer = await fetch(`${url}/metrics`)
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /vitrine_requests_total\{route="GET \/api\/v1\/templates"/)
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'X-Forwarded-Proto']) {
      const proxied = await fetch(`${url}/metrics`, { headers: { [name]: '203.0.113.9' } })
      assert.equal(proxied.status, 404, name)
    }
  })

  test('/metrics requires a host name of this machine: a proxy that adds no header forwards another', async () => {
    const statusOf = async (host: string) =>
      (await talk(use(), `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(9, 12)
    const hosts = ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:1', '[::1]', '[::1]:8080']
    for (const host of hosts) assert.equal(await statusOf(host), '200', host)
    for (const host of [
      'mockups.example.com',
      'vitrine:8080',
      'localhost.example.com',
      '127.0.0.1.example.com',
      '10.0.0.1',
      '[::2]',
      '',
    ])
      assert.equal(await statusOf(host), '404', host)
  })

  test('unknown assets are not found, whatever their name, and are not logged as failures', async () => {
    const before = use().log.length
    const long = 'a'.repeat(5000)
    for (const name of [
      '',
      '..',
      '../x',
      '../index.html',
      '%00',
      '%2e%2e%2fx',
      '.',
      'a%00.js',
      `${long}.js`,
      'x/y.js',
    ]) {
      const answer = await talk(use(), `GET /assets/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 404 /, name)
      assert.match(answer, /"code":"NOT_FOUND"/, name)
      assert.doesNotMatch(answer, /FST_|node_modules|ENOENT/, name)
    }
    for (const path of [`/thumbnails/${long}.jpg`, `/dashboard/api/templates/${long}`, `/api/v1/${long}`]) {
      const { status } = await fetch(use().running.url + path)
      assert.ok([401, 404].includes(status), `${path.slice(0, 40)}: ${status}`)
    }
    assert.deepEqual(
      use()
        .log.slice(before)
        .filter(line => /"level":"?(50|60|error|fatal)/.test(line)),
      [],
    )
  })

  for (const [row, bytes, status, code] of [
    ['no HTTP', 'hello\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'two Content-Lengths',
      'POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'Content-Length and Transfer-Encoding',
      'POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'headers of 17 KB',
      `GET /api/v1/templates HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`,
      431,
      'REQUEST_HEADERS_TOO_LARGE',
    ],
    [
      'an address of 100 KB',
      `GET /api/v1/${'x'.repeat(100 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'REQUEST_HEADERS_TOO_LARGE',
    ],
  ] as const)
    test(`${row}: ${status} ${code} as JSON, and the connection ends`, async () => {
      const answer = await talk(use(), bytes)
      assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(answer, /\r\nX-Request-Id: req_/)
      const body: unknown = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
      assert(typeof body === 'object' && body !== null && 'code' in body)
      assert.equal(body.code, code)
    })

  test('a bad chunk in a body: 400, and no second answer', async () => {
    const { key } = await use().customer()
    const answer = await talk(
      use(),
      `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
    )
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
    assert.match(answer, /"code":"MALFORMED_REQUEST"/)
  })

  test('a client that waits for "100 Continue" gets its refusal without sending the body', async () => {
    const answer = await talk(
      use(),
      'POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    )
    assert.match(answer, /^HTTP\/1\.1 401 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
  })

  test('a client that waits for "100 Continue" with a valid key is told to continue', async () => {
    const { key } = await use().customer()
    const answer = await talk(
      use(),
      `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    )
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })

  test('absolute request targets and HTTP/1.0 work', async () => {
    const absolute = await talk(use(), 'GET http://elsewhere/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(absolute, /^HTTP\/1\.1 200 /)
    assert.match(await talk(use(), 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  })
})

describeContract('A defect', use => {
  test('is 500 with a request id, and no SQL in the body', async () => {
    const service = use()
    const { key } = await service.customer()
    const { queries } = service.running.services.database
    await queries.schema.alterTable('usage_templates').renameTo('usage_templates_away').execute()
    try {
      const answer = await service.send({ path: '/billing/usage', key })
      assert.deepEqual([answer.status, errorOf(answer).code], [500, 'INTERNAL_ERROR'])
      assert(!/usage_templates|sql|select/i.test(answer.bytes.toString()), 'no SQL in the body')
      assert.equal(
        JSON.stringify(errorOf(answer).details),
        JSON.stringify({ request_id: answer.headers.get('x-request-id') }),
      )
    } finally {
      await queries.schema.alterTable('usage_templates_away').renameTo('usage_templates').execute()
    }
  })
})
