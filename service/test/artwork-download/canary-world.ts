/**
 * Runs inside a separate network namespace, where every IPv4 and IPv6 address leads to this process, so that
 * it sees whatever a download connects to. Only one public address is the origin that may be reached; any
 * other connection is reported as a canary. Prints the results as one line of JSON.
 */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ArtworkDownload } from '../../src/artwork-download/artwork-download.ts'
import { parseArtworkUrl } from '../../src/artwork-download/artwork-url.ts'
import { DownloadError } from '../../src/artwork-download/download-error.ts'
import { type DnsAnswer, DnsServer } from './dns-server.ts'
import { hostileLiterals, hostileNames } from './hostile-urls.ts'

const ORIGIN = '9.9.9.9'
const canaryPorts = [80, 22, 443, 2375, 5432, 6379, 8080, 9200]
const REBINDING_ROUNDS = 1000

/** What was observed. */
export type CanaryReport = {
  readonly canaryCalls: readonly string[]
  readonly originCalls: number
  readonly outcomes: Readonly<Record<string, string>>
  readonly rebinding: Readonly<Record<string, number>>
  readonly proxyCalls: number
}

const canaryCalls: string[] = []
const outcomes: Record<string, string> = {}
let originCalls = 0

const origin = createServer(answerAsOrigin)

for (const port of canaryPorts) {
  const listener = createTcpServer(socket => receive(socket, port))
  listener.listen({ port, host: '::', ipv6Only: false })
  await once(listener, 'listening')
  listener.unref()
}

function receive(socket: Socket, port: number): void {
  const reached = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  if (reached === ORIGIN && port === 80) {
    originCalls += 1
    origin.emit('connection', socket)
    return
  }
  canaryCalls.push(`${reached}:${port}`)
  socket.destroy()
}

function answerAsOrigin(request: IncomingMessage, response: ServerResponse): void {
  const target = new URL(request.url ?? '/', 'http://origin.test').searchParams.get('to')
  if (target === null) {
    response.end('a picture')
    return
  }
  const status = Number(new URL(request.url ?? '/', 'http://origin.test').searchParams.get('status') ?? 302)
  // A header cannot contain characters beyond Latin-1, so other digits and letters are percent-encoded, which
  // a URL parser decodes again.
  const location = target.replace(/[^\x20-\x7e]/gu, encodeURIComponent)
  response.writeHead(status, { location }).end()
}

let rebindingRound = 0
const names = new Map(hostileNames.map(({ url, a, aaaa }) => [new URL(url).hostname, { a, aaaa }]))

function answerAsDns(name: string, family: 4 | 6): DnsAnswer {
  if (name === 'origin.test') return family === 4 ? [ORIGIN] : []
  if (name === 'alias.test') return family === 4 ? { alias: 'inside.test', addresses: ['10.0.0.1'] } : 'unknown'
  // DNS rebinding: public when it is checked, loopback when it is used.
  if (name === 'rebinding.test') {
    if (family === 6) return []
    rebindingRound += 1
    return [rebindingRound % 2 === 1 ? ORIGIN : '127.0.0.1']
  }
  const known = names.get(name)
  const addresses = family === 4 ? known?.a : known?.aaaa
  return addresses ?? 'unknown'
}

async function outcomeOf(download: ArtworkDownload, url: string, toFile: string): Promise<string> {
  const parsed = parseArtworkUrl(url)
  if (!parsed.ok) return 'invalid'
  try {
    using downloads = download.begin('a')
    await downloads.fetch(parsed.url, { toFile })
    downloads.markDelivered()
    return 'ok'
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error
    return JSON.stringify(error.fault)
  } finally {
    await rm(toFile, { force: true })
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-canary-'))
await using dns = await DnsServer.start(answerAsDns)
try {
  const toFile = path.join(folder, 'artwork')
  const download = new ArtworkDownload({ nameServers: [dns.address], deadlineMs: 10_000 })
  for (const { url } of [...hostileLiterals, ...hostileNames]) outcomes[url] = await outcomeOf(download, url, toFile)
  outcomes['a public origin'] = await outcomeOf(download, 'http://origin.test/', toFile)
  outcomes['an alias that leads inside'] = await outcomeOf(download, 'http://alias.test/', toFile)
  outcomes['no such name'] = await outcomeOf(download, 'http://nowhere.test/', toFile)
  for (const { url, refusal } of [...hostileLiterals, ...hostileNames]) {
    for (const status of refusal === 'unresolved' ? [302] : [301, 302, 303, 307, 308]) {
      const redirect = `http://origin.test/?status=${status}&to=${encodeURIComponent(url)}`
      outcomes[`${status} to ${url}`] = await outcomeOf(download, redirect, toFile)
    }
  }
  const rebinding: Record<string, number> = {}
  for (let round = 0; round < REBINDING_ROUNDS; round += 1) {
    const outcome = await outcomeOf(download, 'http://rebinding.test/', toFile)
    rebinding[outcome] = (rebinding[outcome] ?? 0) + 1
  }
  const proxyCalls = canaryCalls.filter(call => call === '127.0.0.1:8080').length
  const report: CanaryReport = { canaryCalls, originCalls, outcomes, rebinding, proxyCalls }
  process.stdout.write(JSON.stringify(report))
} finally {
  await rm(folder, { recursive: true, force: true })
  origin.close()
}
