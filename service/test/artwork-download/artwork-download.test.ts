import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { ArtworkDownload } from '../../src/artwork-download/artwork-download.ts'
import { DnsServer } from './dns-server.ts'
import { type Answer, faultOf, useOrigins } from './use-origins.ts'

const { newFile, listen, closedPort, get, origin, rawOrigin } = useOrigins()

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
    const sample = { url: `http://localhost:${port}/sample.jpg`, file: newFile() }
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
    const port = await closedPort()
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
