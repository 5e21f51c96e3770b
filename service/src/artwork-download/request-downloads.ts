import type { FileContent } from '../received-bytes/gathered-file.ts'

export type DownloadOptions = {
  /** A new file in a private folder. */
  readonly toFile: string
  /** Cancels the download; its reason is thrown. */
  readonly signal?: AbortSignal
}

/**
 * The downloads of one request. Dispose of it when all have ended: unless the request was delivered, its
 * bytes then count against the account's budget.
 */
export class RequestDownloads implements Disposable {
  readonly accountId: string
  readonly #download: (url: URL, options: DownloadOptions, request: RequestDownloads) => Promise<FileContent>
  readonly #onFailed: (bytes: number) => void
  #bytes = 0
  #isDelivered = false

  /** @param services.onFailed called once with the bytes that a failed request downloaded */
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
   * @param url a URL accepted by `parseArtworkUrl`
   * @throws DownloadError for a fault of the URL or the origin, or if the account's budget is spent; the
   *   signal's reason if it was cancelled
   */
  fetch(url: URL, options: DownloadOptions): Promise<FileContent> {
    return this.#download(url, options, this)
  }

  /** Counts received bytes, including discarded ones. */
  noteBytes(bytes: number): void {
    this.#bytes += bytes
  }

  /** The request is paid for: its downloads count against no budget. */
  markDelivered(): void {
    this.#isDelivered = true
  }

  [Symbol.dispose](): void {
    if (!this.#isDelivered && this.#bytes > 0) this.#onFailed(this.#bytes)
  }
}
