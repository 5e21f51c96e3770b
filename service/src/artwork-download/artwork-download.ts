import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { limits } from '@vitrine/contract'
import { type FileContent, GatheredFile } from '../received-bytes/gathered-file.ts'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import { parseArtworkUrl, portOf } from './artwork-url.ts'
import { classifyHost, isPublicAddress } from './classify-address.ts'
import { DownloadAdmission } from './download-admission.ts'
import { DownloadError, fetchFailed } from './download-error.ts'
import { FailedBytes } from './failed-bytes.ts'
import { CONNECTION_COST_BYTES, DOWNLOAD_DEADLINE_MS, MAX_REDIRECTS } from './limits.ts'
import { openConnection } from './open-connection.ts'
import { type DownloadOptions, RequestDownloads } from './request-downloads.ts'
import { type Answer, readBody, requestOnce } from './request-once.ts'
import { resolveName, resolveVouchedName } from './resolve-name.ts'

/** All options have safe defaults. */
export type ArtworkDownloadOptions = {
  /** Private hosts that the operator allows: `host:port`, or `host` for any port. */
  readonly allowedPrivateHosts?: Iterable<string>
  /** Allowed ports, in addition to those of `allowedPrivateHosts`; any by default. */
  readonly allowedPorts?: readonly number[] | undefined
  /** Deadline of a whole download, in milliseconds. */
  readonly deadlineMs?: number
  /** The largest file, in bytes. */
  readonly maxBytes?: number
  /** A URL that is served from a local file, without opening a connection. */
  readonly sample?: { readonly url: string; readonly file: string }
  /** DNS servers to use instead of the system's. */
  readonly nameServers?: readonly string[]
  /** Additional certificate authorities, PEM. */
  readonly certificateAuthorities?: readonly string[]
}

/**
 * Downloads artwork from untrusted URLs. No other module opens a socket to one.
 *
 * The steps, for the URL and for every redirect: parse it as browsers do, resolve its name once, refuse
 * unless every address is public, connect to one of these addresses, check the address that the socket
 * reports, ask for an uncompressed body, count every byte. One deadline covers everything, including the wait
 * for other downloads.
 */
export class ArtworkDownload {
  readonly #admission = new DownloadAdmission()
  readonly #failedBytes = new FailedBytes()
  readonly #allowedPrivateHosts: ReadonlySet<string>
  readonly #allowedPorts: readonly number[] | undefined
  readonly #deadlineMs: number
  readonly #maxBytes: number
  readonly #sample: ArtworkDownloadOptions['sample']
  readonly #nameServers: readonly string[] | undefined
  readonly #certificateAuthorities: readonly string[] | undefined

  constructor(options: ArtworkDownloadOptions = {}) {
    this.#allowedPrivateHosts = new Set([...(options.allowedPrivateHosts ?? [])].map(host => host.toLowerCase()))
    this.#allowedPorts = options.allowedPorts
    this.#deadlineMs = options.deadlineMs ?? DOWNLOAD_DEADLINE_MS
    this.#maxBytes = options.maxBytes ?? limits.artworkSizeBytesMax
    this.#sample = options.sample
    this.#nameServers = options.nameServers
    this.#certificateAuthorities = options.certificateAuthorities
  }

  /** Begins the downloads of one request of an account. */
  begin(accountId: string): RequestDownloads {
    return new RequestDownloads(accountId, {
      download: (url, options, request) => this.#download(url, options, request),
      onFailed: bytes => this.#failedBytes.note(accountId, bytes, performance.now()),
    })
  }

  async #download(url: URL, options: DownloadOptions, request: RequestDownloads): Promise<FileContent> {
    if (url.href === this.#sample?.url) return copyFile(this.#sample.file, options.toFile)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new DownloadError({ kind: 'timeout' })), this.#deadlineMs)
    const signal = options.signal === undefined ? deadline.signal : AbortSignal.any([options.signal, deadline.signal])
    try {
      return await this.#followRedirects(url, { toFile: options.toFile, signal }, request)
    } catch (error) {
      // Once the deadline has passed or the download is cancelled, socket errors are only a consequence.
      signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #followRedirects(start: URL, to: Destination, request: RequestDownloads): Promise<FileContent> {
    let url = start
    for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount += 1) {
      // A redirect may lead to another host, so it waits for admission again.
      const claim = { accountId: request.accountId, request, host: url.hostname.replace(/\.$/, '') }
      using _permit = await this.#admission.admit(claim, to.signal)
      const waitMs = this.#failedBytes.waitMs(request.accountId, performance.now())
      if (waitMs > 0) throw new DownloadError({ kind: 'budget-spent', retryAfterS: Math.ceil(waitMs / 1000) })
      const found = await this.#ask(url, to, request)
      if (!(found instanceof URL)) return found
      url = found
    }
    throw fetchFailed('too_many_redirects')
  }

  /** Requests a URL and writes its content to the file, or returns the URL that the answer redirects to. */
  async #ask(url: URL, { toFile, signal }: Destination, request: RequestDownloads): Promise<FileContent | URL> {
    const { addresses, mayTalkTo } = await this.#findAddresses(url, signal)
    request.noteBytes(CONNECTION_COST_BYTES)
    const socket = await openConnection({
      addresses,
      port: portOf(url),
      tlsHost: url.protocol === 'https:' ? url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null,
      mayTalkTo,
      certificateAuthorities: this.#certificateAuthorities,
      signal,
    })
    try {
      const answer = await requestOnce(socket, url, signal)
      try {
        const { location } = answer.response.headers
        if (isRedirect(answer.status) && location !== undefined) return redirectTarget(location, url)
        refuseFailure(answer)
        return await this.#writeBody(answer, toFile, signal)
      } finally {
        answer.close()
      }
    } finally {
      request.noteBytes(socket.bytesRead)
    }
  }

  async #writeBody(answer: Answer, path: string, signal: AbortSignal): Promise<FileContent> {
    await using file = await GatheredFile.create(path)
    await readBody(answer, this.#maxBytes, signal, async piece => {
      await file.write(piece)
      releaseBytes(piece)
    })
    return await file.end()
  }

  /** Whether the operator allows this host although it is private. */
  #isVouchedFor(url: URL): boolean {
    const name = url.hostname.replace(/\.$/, '')
    return this.#allowedPrivateHosts.has(name) || this.#allowedPrivateHosts.has(`${name}:${portOf(url)}`)
  }

  /** The addresses to fetch a URL from, and a check for the address of a connected socket. */
  async #findAddresses(
    url: URL,
    signal: AbortSignal,
  ): Promise<{ addresses: string[]; mayTalkTo: (address: string) => boolean }> {
    const own = ownAddresses()
    const host = classifyHost(url.hostname, own)
    if (this.#isVouchedFor(url)) {
      const addresses = host.kind === 'address' ? [host.address] : await resolveVouchedName(url.hostname, signal)
      if (addresses.length === 0) throw fetchFailed('name_not_resolved')
      return { addresses, mayTalkTo: () => true }
    }
    const mayTalkTo = (address: string) => isPublicAddress(address, own)
    if (host.kind === 'loopback-name' || (host.kind === 'address' && !host.isPublic)) {
      throw new DownloadError({ kind: 'forbidden' })
    }
    const port = portOf(url)
    if (this.#allowedPorts?.includes(port) === false)
      throw new DownloadError({ kind: 'port-forbidden', port, allowedPorts: this.#allowedPorts })
    if (host.kind === 'address') return { addresses: [host.address], mayTalkTo }
    const addresses = await resolveName(host.name, { nameServers: this.#nameServers, signal })
    // A private address among public ones is an attack or a mistake: none of them is used.
    if (addresses.length === 0 || !addresses.every(mayTalkTo)) throw fetchFailed('name_not_resolved')
    return { addresses, mayTalkTo }
  }
}

async function copyFile(from: string, toFile: string): Promise<FileContent> {
  await using file = await GatheredFile.create(toFile)
  await file.write(await readFile(from))
  return await file.end()
}

/** Where a download is written, and what cancels it. */
type Destination = { readonly toFile: string; readonly signal: AbortSignal }

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function redirectTarget(location: string, from: URL): URL {
  const target = parseArtworkUrl(URL.parse(readHeader(location), from)?.href ?? '')
  if (!target.ok) throw fetchFailed('invalid_redirect')
  return target.url
}

/** Decodes a header: as UTF-8 if it is valid, like browsers, else as Latin-1, like Node. */
function readHeader(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** Content codings that compress, with their old names (IANA). Any other leaves the bytes as they are. */
const compressions: ReadonlySet<string> = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
])

/** Throws unless the answer is an uncompressed success. */
function refuseFailure({ status, response }: Answer): void {
  if (status === 404 || status === 410) throw new DownloadError({ kind: 'not-found', status })
  if (status < 200 || status > 299) throw fetchFailed('bad_status', status)
  const codings = (response.headers['content-encoding'] ?? '').toLowerCase().split(',')
  if (codings.some(coding => compressions.has(coding.trim()))) throw fetchFailed('content_encoding')
}
