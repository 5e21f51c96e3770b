import type { FileContent } from '../received-bytes/gathered-file.ts'

export type DownloadOptions = {
  /** A new file in a private folder. */
  readonly toFile: string
  /** Cancels the download; its reason is thrown. */
  readonly signal?: AbortSignal
}

/**
 * The downloads of one request. They count against the budget of its account when this is disposed of, unless
 * the request was delivered. To be disposed of when all have ended.
 */
export class RequestDownloads implements Disposable {
  readonly accountId: string
  readonly #download: (url: URL, options: DownloadOptions, request: RequestDownloads) => Promise<FileContent>
  readonly #onFailed: (bytes: number) => void
  #bytes = 0
  #isDelivered = false

  /** @param services.onFailed called once with what a failed request has downloaded */
  constructor(
    accountId: string,
    services: {
      readonly download: (url: URL, options: DownloadOptions, request: RequestDownloads) => Promise<FileContent>
      readonly onFailed: (bytes: number) => void
    },
  ) {
    this.accountId = accountId
    this.#download = services.download
    this.#onFailed = services.onFailed
  }

  /**
   * Downloads one file.
   *
   * @param url a URL that `parseArtworkUrl` accepted
   * @throws DownloadError for a fault of the URL or the origin, or where the account's budget is spent; the
   *   signal's reason when it was cancelled
   */
  fetch(url: URL, options: DownloadOptions): Promise<FileContent> {
    return this.#download(url, options, this)
  }

  /** Bytes that came, wanted or not. */
  noteBytes(bytes: number): void {
    this.#bytes += bytes
  }

  /** The request is paid for: what it downloaded counts against no budget. */
  markDelivered(): void {
    this.#isDelivered = true
  }

  [Symbol.dispose](): void {
    if (!this.#isDelivered && this.#bytes > 0) this.#onFailed(this.#bytes)
  }
}
