import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { ArtworkDownload, type ArtworkDownloadOptions } from '../../src/artwork-download/artwork-download.ts'
import { DownloadError, type DownloadFault } from '../../src/artwork-download/download-error.ts'
import { FAILED_BYTES_MAX, FAILED_BYTES_SPAN_MS } from '../../src/artwork-download/limits.ts'
import type { RequestDownloads } from '../../src/artwork-download/request-downloads.ts'
import { DnsServer } from './dns-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const open = new Set<Server>()
let folder = ''
let fileCount = 0

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-download-'))
})

after(async () => {
  for (const server of open) server.close()
  await rm(folder, { recursive: true, force: true })
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  server.unref()
  open.add(server)
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

/** An origin on loopback, and a download that is allowed to reach its port. */
async function origin(answer: Answer, options: ArtworkDownloadOptions = {}) {
  const port = await listen(createServer(answer))
  const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`], ...options })
  return {
    port,
    get: (target = '/artwork.png', signal?: AbortSignal) => get(download, `http://127.0.0.1:${port}${target}`, signal),
  }
}

async function get(download: ArtworkDownload, url: string, signal?: AbortSignal) {
  const toFile = path.join(folder, `artwork-${fileCount}`)
  fileCount += 1
  using downloads = download.begin('a')
  const { sizeBytes } = await downloads.fetch(new URL(url), { toFile, ...(signal === undefined ? {} : { signal }) })
  downloads.markDelivered()
  return { sizeBytes, toFile }
}

const certificates = path.join(import.meta.dirname, 'certificates')

async function secureServer(name: string, answer: Answer): Promise<Server> {
  const [key, cert] = await Promise.all([
    readFile(path.join(certificates, `${name}.key.pem`)),
    readFile(path.join(certificates, `${name}.cert.pem`)),
  ])
  return createTlsServer({ key, cert }, answer)
}

async function faultOf(result: Promise<unknown>): Promise<DownloadFault> {
  try {
    await result
  } catch (error) {
    assert.ok(error instanceof DownloadError, String(error))
    return error.fault
  }
  return assert.fail('it was downloaded')
}

/** A server that sends raw bytes instead of HTTP. */
async function rawOrigin(answer: (socket: Socket) => void, options: ArtworkDownloadOptions = {}) {
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  const port = await listen(server)
  server.on('close', () => {
    for (const socket of sockets) socket.destroy()
  })
  const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`], ...options })
  return { get: () => get(download, `http://127.0.0.1:${port}/`) }
}

describe('A download', () => {
  it('writes exactly the bytes of the origin into a private file', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    const { get } = await origin((_, response) => response.end(bytes))
    const { sizeBytes, toFile } = await get()
    assert.equal(sizeBytes, bytes.length)
    assert.deepEqual(await readFile(toFile), bytes)
    assert.equal((await stat(toFile)).mode & 0o777, 0o600)
  })

  it('reads the service’s own sample from its file, and nothing else of the service', async () => {
    let connections = 0
    const port = await listen(createServer(() => undefined).on('connection', () => (connections += 1)))
    const sample = { url: `http://localhost:${port}/sample.jpg`, file: path.join(folder, 'sample') }
    await writeFile(sample.file, 'sample')
    const download = new ArtworkDownload({ sample })
    assert.equal(await readFile((await get(download, sample.url)).toFile, 'utf8'), 'sample')
    for (const url of [`${sample.url}?`, `http://127.0.0.1:${port}/sample.jpg`, `http://localhost:${port}/other`])
      assert.equal((await faultOf(get(download, url))).kind, 'forbidden')
    assert.equal(connections, 0)
  })

  it('requests the path and query as given, uncompressed, and sends nothing about the customer', async () => {
    let headers: IncomingMessage['headers'] = {}
    let target = ''
    const { get, port } = await origin((request, response) => {
      headers = request.headers
      target = request.url ?? ''
      response.end('x')
    })
    await get('/a b/%0d%0aX:y/../ä.png?q=1&r=%20#fragment')
    assert.equal(target, '/a%20b/%C3%A4.png?q=1&r=%20')
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    assert.equal(headers['accept-encoding'], 'identity')
    assert.equal(headers.host, `127.0.0.1:${port}`)
  })

  it('ignores the type that the origin declares', async () => {
    const { get } = await origin((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('x'))
    assert.equal((await get()).sizeBytes, 1)
  })

  for (const status of [404, 410]) {
    it(`reports ${status} as not found`, async () => {
      const { get } = await origin((_, response) => response.writeHead(status).end())
      assert.deepEqual(await faultOf(get()), { kind: 'not-found', status })
    })
  }

  for (const status of [300, 304, 400, 401, 403, 429, 500, 503]) {
    it(`fails for ${status}, and reports it`, async () => {
      const { get } = await origin((_, response) => response.writeHead(status).end())
      assert.deepEqual(await faultOf(get()), { kind: 'failed', reason: 'bad_status', status })
    })
  }

  it('fails when nothing is listening', async () => {
    const port = await listen(createServer())
    for (const server of open) if (addressOf(server)?.port === port) await close(server)
    const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`] })
    assert.deepEqual(await faultOf(get(download, `http://127.0.0.1:${port}/`)), {
      kind: 'failed',
      reason: 'connection_failed',
    })
  })

  it('fails when the name does not exist', async () => {
    await using dns = await DnsServer.start(() => 'unknown')
    const download = new ArtworkDownload({ nameServers: [dns.address] })
    assert.deepEqual(await faultOf(get(download, 'http://nowhere.test/')), {
      kind: 'failed',
      reason: 'name_not_resolved',
    })
    assert.equal(dns.questionCount, 2)
  })
})

describe('A redirect', () => {
  const chain: Answer = (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('here')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  }

  it('is followed five times', async () => {
    const { get } = await origin(chain)
    assert.equal((await get('/5')).sizeBytes, 4)
  })

  it('is not followed a sixth time, nor in a loop', async () => {
    const { get } = await origin(chain)
    assert.deepEqual(await faultOf(get('/6')), { kind: 'failed', reason: 'too_many_redirects' })
    const loop = await origin((_, response) => response.writeHead(307, { location: '/' }).end())
    assert.deepEqual(await faultOf(loop.get()), { kind: 'failed', reason: 'too_many_redirects' })
  })

  it('without a location is a failure with its status', async () => {
    const { get } = await origin((_, response) => response.writeHead(302).end())
    assert.deepEqual(await faultOf(get()), { kind: 'failed', reason: 'bad_status', status: 302 })
  })

  for (const location of [
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'http://user:pw@127.0.0.1/',
    'http://[::1',
    'data:,x',
  ]) {
    it(`to ${location} is refused`, async () => {
      const { get } = await origin((_, response) => response.writeHead(302, { location }).end())
      assert.deepEqual(await faultOf(get()), { kind: 'failed', reason: 'invalid_redirect' })
    })
  }

  it('in raw UTF-8 or Latin-1 leads where it does in browsers', async () => {
    for (const [location, wanted] of [
      [Buffer.from('/café/日.png?q=ü'), '/caf%C3%A9/%E6%97%A5.png?q=%C3%BC'],
      [Buffer.from('/café', 'latin1'), '/caf%C3%A9'],
    ] as const) {
      let target = ''
      const { get } = await origin((request, response) => {
        target = request.url ?? ''
        if (target === '/artwork.png') response.writeHead(302, { location: location.toString('latin1') }).end()
        else response.end('x')
      })
      await get()
      assert.equal(target, wanted)
    }
  })

  it('to another port of an allowed host is not allowed', async () => {
    let callCount = 0
    const port = await listen(createServer((_, response) => response.end(`${(callCount += 1)}`)))
    const { get } = await origin((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    assert.deepEqual(await faultOf(get()), { kind: 'forbidden' })
    assert.equal(callCount, 0)
  })

  it('sends no cookies', async () => {
    const cookies: unknown[] = []
    const { get } = await origin((request, response) => {
      cookies.push(request.headers.cookie)
      if (request.url === '/end') response.end('x')
      else response.writeHead(302, { location: '/end', 'set-cookie': 'a=b' }).end()
    })
    await get()
    assert.deepEqual(cookies, [undefined, undefined])
  })
})

describe('The size of a download', () => {
  const maxBytes = 100_000

  it('may be exactly the limit', async () => {
    const { get } = await origin((_, response) => response.end(Buffer.alloc(maxBytes)), { maxBytes })
    assert.equal((await get()).sizeBytes, maxBytes)
  })

  it('is refused one byte past it, declared or not, and the download stops at once', async () => {
    const declared = await origin((_, response) => response.end(Buffer.alloc(maxBytes + 1)), { maxBytes })
    assert.deepEqual(await faultOf(declared.get()), { kind: 'too-large', maxBytes })
    let sentBytes = 0
    const endless = await origin(
      (_, response) => {
        const piece = Buffer.alloc(10_000)
        const send = () => {
          sentBytes += piece.length
          if (!response.destroyed) response.write(piece, () => setImmediate(send))
        }
        send()
      },
      { maxBytes },
    )
    assert.deepEqual(await faultOf(endless.get()), { kind: 'too-large', maxBytes })
    // What the kernels on both sides buffer cannot be stopped.
    assert.ok(sentBytes < maxBytes + 8_000_000, `${sentBytes}`)
  })

  it('is 20 MiB by default', async () => {
    const { get } = await origin((_, response) =>
      response.writeHead(200, { 'content-length': 20 * 1024 * 1024 + 1 }).flushHeaders(),
    )
    assert.deepEqual(await faultOf(get()), { kind: 'too-large', maxBytes: 20 * 1024 * 1024 })
  })

  it('that is declared and not delivered is a failure', async () => {
    const { get } = await rawOrigin(socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'))
    assert.deepEqual(await faultOf(get()), { kind: 'failed', reason: 'connection_lost' })
  })
})

describe('A malicious answer', () => {
  it('is refused when it is compressed, whatever its content', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    for (const encoding of ['gzip', 'BR', 'deflate, gzip', 'aws-chunked, zstd']) {
      const { get } = await origin((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb))
      assert.deepEqual(await faultOf(get()), { kind: 'failed', reason: 'content_encoding' })
    }
  })

  it('is accepted with a coding that does not compress, as object stores send it', async () => {
    for (const coding of ['Identity', 'aws-chunked', 'UTF-8', 'binary', 'none', '', 'aws-chunked,', 'x'.repeat(1000)]) {
      const { get } = await origin((_, response) => response.writeHead(200, { 'content-encoding': coding }).end('x'))
      assert.equal((await get()).sizeBytes, 1, coding)
    }
  })

  const damaged: readonly (readonly [what: string, bytes: string, reason?: string])[] = [
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['64 KB of headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(65_536)}\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\nx'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\njust words\r\ncontent-length: 1\r\n\r\nx'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'connection_lost'],
    ['chunks that end too early', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab', 'connection_lost'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['nothing', ''],
  ]
  for (const [what, bytes, reason = 'connection_failed'] of damaged) {
    it(`is refused when it is ${what}`, async () => {
      const { get } = await rawOrigin(socket => socket.end(bytes))
      assert.deepEqual(await faultOf(get()), { kind: 'failed', reason })
    })
  }
})

describe('An answer that curl and browsers accept is accepted', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const answers: readonly (readonly [what: string, bytes: string])[] = [
    ['with its length twice', `${ok}content-length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['with its length twice in a line', `${ok}content-length: 5, 5\r\n\r\nhello`],
    [
      'with a length beside chunks',
      `${ok}content-length: 99\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['with lines that end without CR', 'HTTP/1.1 200 OK\nx: y\ncontent-length: 5\n\nhello'],
    ['with a blank in a header’s name', `${ok}X Powered By: me\r\ncontent-length: 5\r\n\r\nhello`],
    ['with a blank behind a name', `${ok}content-length : 5\r\n\r\nhello`],
    ['behind early hints', `HTTP/1.1 103 Early Hints\nlink: </a>\n\nHTTP/1.1 200 OK\ncontent-length: 5\n\nhello`],
    ['without a length, until the end', `${ok}\r\nhello`],
  ]
  for (const [what, bytes] of answers)
    it(what, async () => {
      const whole = await rawOrigin(socket => socket.end(bytes))
      const { sizeBytes, toFile } = await whole.get()
      assert.deepEqual([sizeBytes, await readFile(toFile, 'latin1')], [5, 'hello'])
      // Byte by byte, as over slow connections.
      const slow = await rawOrigin(socket => {
        socket.setNoDelay(true)
        for (const byte of bytes) socket.write(byte)
        socket.end()
      })
      assert.equal((await slow.get()).sizeBytes, 5)
    })
})

describe('What is listening on another host’s port', () => {
  it('is not revealed: refused, reset, closed, no HTTP and no certificate fail alike', async () => {
    const closed = await listen(createServer())
    for (const server of open) if (addressOf(server)?.port === closed) await close(server)
    const ports = [
      closed,
      await listen(createTcpServer(socket => socket.on('error', () => undefined).resetAndDestroy())),
      await listen(createTcpServer(socket => socket.on('error', () => undefined).end())),
      await listen(createTcpServer(socket => socket.on('error', () => undefined).end('220 mail.test ESMTP\r\n'))),
      await listen(await secureServer('elsewhere', (_, response) => response.end('x'))),
    ]
    const download = new ArtworkDownload({ allowedPrivateHosts: ['127.0.0.1'] })
    for (const port of ports)
      for (const scheme of ['http', 'https']) {
        if (port === ports.at(-1) && scheme === 'http') continue
        assert.deepEqual(await faultOf(get(download, `${scheme}://127.0.0.1:${port}/`)), {
          kind: 'failed',
          reason: 'connection_failed',
        })
      }
  })
})

describe('A download that stalls is answered at its deadline', () => {
  // At full size the production deadline, within the limits of 14.5 to 16 s.
  const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
  const deadlineMs = isFull ? 15_000 : 400
  const stalls: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['before its head', () => undefined],
    ['in its head', socket => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
    ['with endless provisional answers', socket => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['before its body', socket => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')],
    ['in its body, byte by byte', socket => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')],
    ['half way', socket => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabcde')],
  ]

  for (const [where, answer] of stalls) {
    it(where, async () => {
      const { get } = await rawOrigin(answer, { deadlineMs })
      await assertTimely(() => faultOf(get()))
    })
  }

  it('in the name server', async () => {
    await using dns = await DnsServer.start(() => 'silence')
    const download = new ArtworkDownload({ nameServers: [dns.address], deadlineMs })
    await assertTimely(() => faultOf(get(download, 'http://silent.test/')))
  })

  it('in the TLS handshake', async () => {
    const port = await listen(createTcpServer(socket => void socket.on('error', () => undefined)))
    const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`], deadlineMs })
    await assertTimely(() => faultOf(get(download, `https://127.0.0.1:${port}/`)))
  })

  it('over several redirects in total', async () => {
    const { get } = await origin(
      (_, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), deadlineMs / 3),
      { deadlineMs },
    )
    await assertTimely(() => faultOf(get()))
  })

  async function assertTimely(download: () => Promise<DownloadFault>): Promise<void> {
    const startedAtMs = performance.now()
    assert.deepEqual(await download(), { kind: 'timeout' })
    const tookMs = performance.now() - startedAtMs
    assert.ok(tookMs > deadlineMs - 50 && tookMs < deadlineMs + (isFull ? 1000 : 5000), `${tookMs} ms`)
  }

  function drip(socket: Socket, start: string, drop: string): void {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 20)
    socket.once('close', () => clearInterval(timer))
  }
})

describe('A cancelled download', () => {
  it('ends with the reason, and its connection is closed', async () => {
    const controller = new AbortController()
    let isClosed: Promise<unknown> = Promise.resolve()
    const { get } = await origin((request, response) => {
      isClosed = once(request.socket, 'close')
      response.write('x')
      setTimeout(() => controller.abort(new Error('gone away')), 50)
    })
    await assert.rejects(get('/', controller.signal), /gone away/)
    await isClosed
  })

  it('does not begin if it was cancelled before', async () => {
    let callCount = 0
    const { get } = await origin((_, response) => response.end(`${(callCount += 1)}`))
    await assert.rejects(get('/', AbortSignal.abort(new Error('gone away'))), /gone away/)
    assert.equal(callCount, 0)
  })
})

describe('A download over TLS', () => {
  const secureOrigin = async (name: string) => listen(await secureServer(name, (_, response) => response.end('secure')))

  it('succeeds with a known authority’s certificate for the host', async () => {
    const port = await secureOrigin('loopback')
    const authority = await readFile(path.join(certificates, 'authority.cert.pem'), 'utf8')
    const download = new ArtworkDownload({
      allowedPrivateHosts: [`127.0.0.1:${port}`],
      certificateAuthorities: [authority],
    })
    assert.equal((await get(download, `https://127.0.0.1:${port}/`)).sizeBytes, 6)
  })

  it('fails with an unknown authority, whatever the environment variables', async () => {
    const port = await secureOrigin('loopback')
    const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`] })
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      assert.deepEqual(await faultOf(get(download, `https://127.0.0.1:${port}/`)), {
        kind: 'failed',
        reason: 'connection_failed',
      })
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
  })

  it('fails with a certificate for another host, and without TLS on the other side', async () => {
    const authority = await readFile(path.join(certificates, 'authority.cert.pem'), 'utf8')
    const wrong = await secureOrigin('elsewhere')
    const plain = await listen(createServer((_, response) => response.end('x')))
    for (const port of [wrong, plain]) {
      const download = new ArtworkDownload({
        allowedPrivateHosts: [`127.0.0.1:${port}`],
        certificateAuthorities: [authority],
      })
      assert.deepEqual(await faultOf(get(download, `https://127.0.0.1:${port}/`)), {
        kind: 'failed',
        reason: 'connection_failed',
      })
    }
  })
})

describe('What an operator allows', () => {
  it('is one port of a host, or all ports if none is given', async () => {
    const port = await listen(createServer((_, response) => response.end('x')))
    for (const allowed of ['127.0.0.1', `127.0.0.1:${port}`]) {
      const download = new ArtworkDownload({ allowedPrivateHosts: [allowed] })
      assert.equal((await get(download, `http://127.0.0.1:${port}/`)).sizeBytes, 1)
    }
    const other = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port + 1}`] })
    assert.deepEqual(await faultOf(get(other, `http://127.0.0.1:${port}/`)), { kind: 'forbidden' })
  })

  it('may be a name that is only in the hosts file', async () => {
    const port = await listen(createServer((_, response) => response.end('x')))
    const download = new ArtworkDownload({ allowedPrivateHosts: [`localhost:${port}`] })
    assert.equal((await get(download, `http://localhost:${port}/`)).sizeBytes, 1)
  })
})

describe('The ports that an operator allows', () => {
  it('are the only ones that are connected to, at first and after a redirect', async () => {
    const download = new ArtworkDownload({ allowedPorts: [80, 443], deadlineMs: 400 })
    const refused = { kind: 'port-forbidden', port: 8080, allowedPorts: [80, 443] }
    for (const url of ['http://192.0.32.8:8080/', 'https://192.0.32.8:8080/', 'http://example.com:8080/'])
      assert.deepEqual(await faultOf(get(download, url)), refused)
    const { get: redirected } = await origin(
      (_, response) => response.writeHead(302, { location: 'http://192.0.32.8:8080/' }).end(),
      { allowedPorts: [80, 443] },
    )
    assert.deepEqual(await faultOf(redirected()), refused)
  })

  it('do not allow private addresses, and do not restrict hosts that are allowed by name', async () => {
    const download = new ArtworkDownload({ allowedPorts: [80] })
    assert.deepEqual(await faultOf(get(download, 'http://127.0.0.1:8080/')), { kind: 'forbidden' })
    const { get: allowed } = await origin((_, response) => response.end('x'), { allowedPorts: [80] })
    assert.equal((await allowed()).sizeBytes, 1)
  })
})

describe('The budget for downloads of failed requests', () => {
  const sizeBytes = 1024 * 1024

  /** An origin with files of 1 MiB, and how many an account can download before its budget is spent. */
  async function countUntilSpent(secure: boolean, end: (downloads: RequestDownloads) => void): Promise<number> {
    const answer: Answer = (_, response) => response.end(Buffer.alloc(sizeBytes))
    const port = await listen(secure ? await secureServer('loopback', answer) : createServer(answer))
    const download = new ArtworkDownload({
      allowedPrivateHosts: [`127.0.0.1:${port}`],
      certificateAuthorities: [await readFile(path.join(certificates, 'authority.cert.pem'), 'utf8')],
    })
    const url = new URL(`http${secure ? 's' : ''}://127.0.0.1:${port}/`)
    for (let count = 0; count < 300; count += 1) {
      using downloads = download.begin('a')
      const toFile = path.join(folder, `budget-${(fileCount += 1)}`)
      try {
        await downloads.fetch(url, { toFile })
      } catch (error) {
        assert.ok(error instanceof DownloadError && error.fault.kind === 'budget-spent', String(error))
        assert.ok(error.fault.retryAfterS >= 1)
        using other = download.begin('b')
        assert.equal((await other.fetch(url, { toFile })).sizeBytes, sizeBytes)
        return count
      }
      await rm(toFile)
      end(downloads)
    }
    return 300
  }

  for (const secure of [false, true])
    it(`is 200 MiB of failed requests, including connections, ${secure ? 'over TLS' : 'in the clear'}`, async () => {
      const startMs = performance.now()
      const count = await countUntilSpent(secure, () => undefined)
      // 200 MiB in files of 1 MiB, with 64 KiB and some bytes of headers each, plus what is forgotten
      // meanwhile.
      const forgotten = ((performance.now() - startMs) / FAILED_BYTES_SPAN_MS) * (FAILED_BYTES_MAX / sizeBytes)
      assert.ok(count >= 186 && count <= 190 + Math.ceil(forgotten), `${count}`)
    })

  it('is not affected by delivered requests', async () => {
    assert.equal(await countUntilSpent(false, downloads => downloads.markDelivered()), 300)
  })
})

describe('Downloads at once', () => {
  /** An origin that answers on demand. `127.0.0.2` and further hosts redirect to it. */
  async function slowOrigin() {
    const waiting: ServerResponse[] = []
    const { port } = await origin((_, response) => void waiting.push(response))
    const redirecting = createServer((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    const redirectingPort = await listen(redirecting, '0.0.0.0')
    const hosts = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`)
    const download = new ArtworkDownload({ allowedPrivateHosts: ['127.0.0.1', ...hosts] })
    const fetchInto = (downloads: RequestDownloads, url: string) =>
      downloads.fetch(new URL(url), { toFile: path.join(folder, `at-once-${(fileCount += 1)}`) })
    return {
      download,
      start: (downloads: RequestDownloads) => fetchInto(downloads, `http://127.0.0.1:${port}/`),
      startRedirected: (downloads: RequestDownloads, index: number) =>
        fetchInto(downloads, `http://${hosts[index]}:${redirectingPort}/`),
      /** Answers until all are done, in batches of requests within 100 ms. @returns the largest batch */
      answerAll: async (downloads: readonly Promise<unknown>[]) => {
        const ended: unknown[] = []
        const all = Promise.all(downloads.map(download => download.finally(() => ended.push(download))))
        let most = 0
        while (ended.length < downloads.length) {
          await delay(100)
          most = Math.max(most, waiting.splice(0).map(response => response.end('x')).length)
        }
        await all
        return most
      },
    }
  }

  it('are four per request, and the others follow', async () => {
    const { download, start, answerAll } = await slowOrigin()
    using request = download.begin('a')
    assert.equal(await answerAll(Array.from({ length: 10 }, () => start(request))), 4)
  })

  it('are six per host, for all accounts together and behind redirects', async () => {
    const { download, start, startRedirected, answerAll } = await slowOrigin()
    const downloads = Array.from({ length: 8 }, (_, index) => {
      const request = download.begin(`account ${index}`)
      return index % 2 === 0 ? start(request) : startRedirected(request, index)
    })
    assert.equal(await answerAll(downloads), 6)
  })

  it('wait within their own deadline', async () => {
    let callCount = 0
    /** Waiting downloads may begin at the moment the first ones end. */
    let countAtFirstEnd: number | null = null
    const { get } = await origin(() => void (callCount += 1), { deadlineMs: 400 })
    const faults = await Promise.all(
      Array.from({ length: 8 }, () => faultOf(get()).finally(() => (countAtFirstEnd ??= callCount))),
    )
    assert.deepEqual(
      faults,
      Array.from({ length: 8 }, () => ({ kind: 'timeout' })),
    )
    assert.equal(countAtFirstEnd, 6)
  })
})

function addressOf(server: Server): AddressInfo | null {
  const address = server.address()
  return typeof address === 'object' ? address : null
}

async function close(server: Server): Promise<void> {
  open.delete(server)
  server.close()
  await once(server, 'close')
}
