import { networkInterfaces } from 'node:os'
import { limits } from '@vitrine/contract'
import { type FileContent, GatheredFile } from '../received-bytes/gathered-file.ts'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import { parseArtworkUrl, portOf } from './artwork-url.ts'
import { classifyHost, isPublicAddress } from './classify-address.ts'
import { DownloadError, fetchFailed } from './download-error.ts'
import { DOWNLOAD_DEADLINE_MS, MAX_REDIRECTS } from './limits.ts'
import { openConnection } from './open-connection.ts'
import { type Answer, readBody, requestOnce } from './request-once.ts'
import { resolveName, resolveVouchedName } from './resolve-name.ts'

/** Every option has a safe default. */
export type ArtworkDownloadOptions = {
  /** Private hosts that the operator allows: `host:port`, or `host` for any port. */
  readonly allowedPrivateHosts?: Iterable<string>
  /** Time for one whole download, in milliseconds. */
  readonly deadlineMs?: number
  /** The largest file, in bytes. */
  readonly maxBytes?: number
  /** DNS servers to ask instead of the system's. */
  readonly nameServers?: readonly string[]
  /** Additional certificate authorities, PEM. */
  readonly certificateAuthorities?: readonly string[]
}

export type DownloadRequest = {
  /** The account that the download is for. */
  readonly accountId?: string
  /** A new file in a private folder. */
  readonly toFile: string
  /** Cancels the download; its reason is thrown. */
  readonly signal?: AbortSignal
}

/**
 * Downloads artwork from untrusted URLs. No other module opens a socket to one.
 *
 * The steps, for the URL and for every redirect: parse it as browsers do, look its name up once, refuse
 * unless every address is public, connect to one of these addresses, check the address that the socket
 * reports, ask for an uncompressed body, count every byte. One deadline covers everything.
 */
export class ArtworkDownload {
  readonly #allowedPrivateHosts: ReadonlySet<string>
  readonly #deadlineMs: number
  readonly #maxBytes: number
  readonly #nameServers: readonly string[] | undefined
  readonly #certificateAuthorities: readonly string[] | undefined

  constructor(options: ArtworkDownloadOptions = {}) {
    this.#allowedPrivateHosts = new Set([...(options.allowedPrivateHosts ?? [])].map(host => host.toLowerCase()))
    this.#deadlineMs = options.deadlineMs ?? DOWNLOAD_DEADLINE_MS
    this.#maxBytes = options.maxBytes ?? limits.artworkSizeBytesMax
    this.#nameServers = options.nameServers
    this.#certificateAuthorities = options.certificateAuthorities
  }

  /**
   * Downloads one file.
   *
   * @param url a URL that `parseArtworkUrl` accepted
   * @throws DownloadError for a fault of the URL or the origin; the signal's reason when it was cancelled
   */
  async download(url: URL, request: DownloadRequest): Promise<FileContent> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new DownloadError({ kind: 'timeout' })), this.#deadlineMs)
    const signal = request.signal === undefined ? deadline.signal : AbortSignal.any([request.signal, deadline.signal])
    try {
      const answer = await this.#followRedirects(url, signal)
      try {
        return await this.#writeBody(answer, request.toFile, signal)
      } finally {
        answer.close()
      }
    } catch (error) {
      // After a deadline or a cancellation, errors of the socket are only its consequence.
      signal.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
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

  async #followRedirects(start: URL, signal: AbortSignal): Promise<Answer> {
    let url = start
    for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount += 1) {
      const answer = await this.#ask(url, signal)
      const location = answer.response.headers.location
      if (!isRedirect(answer.status) || location === undefined) return accept(answer)
      answer.close()
      url = redirectTarget(location, url)
    }
    throw fetchFailed('too_many_redirects')
  }

  async #ask(url: URL, signal: AbortSignal): Promise<Answer> {
    const { addresses, mayTalkTo } = await this.#vet(url, signal)
    const socket = await openConnection({
      addresses,
      port: portOf(url),
      tlsHost: url.protocol === 'https:' ? url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null,
      mayTalkTo,
      certificateAuthorities: this.#certificateAuthorities,
      signal,
    })
    return requestOnce(socket, url, signal)
  }

  #isVouchedFor(url: URL): boolean {
    const name = url.hostname.replace(/\.$/, '')
    return this.#allowedPrivateHosts.has(name) || this.#allowedPrivateHosts.has(`${name}:${portOf(url)}`)
  }

  /** The addresses that a URL may be fetched from. */
  async #vet(url: URL, signal: AbortSignal): Promise<{ addresses: string[]; mayTalkTo: (address: string) => boolean }> {
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
    if (host.kind === 'address') return { addresses: [host.address], mayTalkTo }
    const addresses = await resolveName(host.name, { nameServers: this.#nameServers, signal })
    // One private address among public ones is an attack or a mistake: none of them is used.
    if (addresses.length === 0 || !addresses.every(mayTalkTo)) throw fetchFailed('name_not_resolved')
    return { addresses, mayTalkTo }
  }
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function redirectTarget(location: string, from: URL): URL {
  const target = parseArtworkUrl(URL.parse(location, from)?.href ?? '')
  if (!target.ok) throw fetchFailed('invalid_redirect')
  return target.url
}

/** Accepts only a complete, uncompressed success. */
function accept(answer: Answer): Answer {
  const refusal = refusalOf(answer)
  if (refusal === null) return answer
  answer.close()
  throw refusal
}

function refusalOf({ status, response }: Answer): DownloadError | null {
  if (status === 404 || status === 410) return new DownloadError({ kind: 'not-found', status })
  if (status < 200 || status > 299) return fetchFailed('bad_status', status)
  const encoding = response.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') return fetchFailed('content_encoding')
  return null
}
