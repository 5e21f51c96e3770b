import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ArtworkDownload } from '../../src/artwork-download/artwork-download.ts'
import type { DownloadFault } from '../../src/artwork-download/download-error.ts'
import { DnsServer } from './dns-server.ts'
import { faultOf, useOrigins } from './use-origins.ts'

const { listen, get, origin, rawOrigin } = useOrigins()

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
