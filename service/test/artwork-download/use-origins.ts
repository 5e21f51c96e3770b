/** Servers on loopback that downloads reach, and files to download into, for one test file. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before } from 'node:test'
import { ArtworkDownload, type ArtworkDownloadOptions } from '../../src/artwork-download/artwork-download.ts'
import { DownloadError, type DownloadFault } from '../../src/artwork-download/download-error.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const certificates = path.join(import.meta.dirname, 'certificates')

export async function secureServer(name: string, answer: Answer): Promise<Server> {
  const [key, cert] = await Promise.all([
    readFile(path.join(certificates, `${name}.key.pem`)),
    readFile(path.join(certificates, `${name}.cert.pem`)),
  ])
  return createTlsServer({ key, cert }, answer)
}

export async function faultOf(result: Promise<unknown>): Promise<DownloadFault> {
  try {
    await result
  } catch (error) {
    assert.ok(error instanceof DownloadError, String(error))
    return error.fault
  }
  return assert.fail('it was downloaded')
}

/** Call once, at the top of a test file. */
export function useOrigins() {
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

  /** The path of a file that does not exist. */
  function newFile(): string {
    fileCount += 1
    return path.join(folder, `file-${fileCount}`)
  }

  async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
    server.listen(0, host)
    await once(server, 'listening')
    server.unref()
    open.add(server)
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    return address.port
  }

  /** A port of loopback that nothing listens on. */
  async function closedPort(): Promise<number> {
    const server = createServer()
    const port = await listen(server)
    open.delete(server)
    server.close()
    await once(server, 'close')
    return port
  }

  async function get(download: ArtworkDownload, url: string, signal?: AbortSignal) {
    const toFile = newFile()
    using downloads = download.begin('a')
    const { sizeBytes } = await downloads.fetch(new URL(url), { toFile, ...(signal === undefined ? {} : { signal }) })
    downloads.markDelivered()
    return { sizeBytes, toFile }
  }

  /** An origin, and a download that is allowed to reach its port. */
  async function origin(answer: Answer, options: ArtworkDownloadOptions = {}) {
    const port = await listen(createServer(answer))
    const download = new ArtworkDownload({ allowedPrivateHosts: [`127.0.0.1:${port}`], ...options })
    return {
      port,
      get: (target = '/artwork.png', signal?: AbortSignal) =>
        get(download, `http://127.0.0.1:${port}${target}`, signal),
    }
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

  return { newFile, listen, closedPort, get, origin, rawOrigin }
}
