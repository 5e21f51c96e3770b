/** How long clients may take. Each bound has its reason; tests shorten them. */
export type HttpDeadlines = {
  /** The request line and headers, in milliseconds. Browsers and clients send them in one packet. */
  readonly headersMs: number
  /** The whole body, in milliseconds: below the 28 s of the whole request, enough for 20 MB at 7 Mbit/s. */
  readonly bodyMs: number
  /** The longest pause inside a body, in milliseconds. */
  readonly bodyIdleMs: number
  /**
   * Reading an answer: in each such span, in milliseconds, a client must have taken at least `readerBytes`.
   */
  readonly readerSpanMs: number
  /** See `readerSpanMs`: 64 KiB in 10 s is slower than any modem that still dials. */
  readonly readerBytes: number
  /**
   * The rest of a body is read and dropped for this time after the answer, in milliseconds, so that the
   * client sees it.
   */
  readonly lingerMs: number
  /** Unused kept-alive connections, in milliseconds: longer than the 60 s that load balancers hold them. */
  readonly keepAliveMs: number
}

export const defaultDeadlines: HttpDeadlines = {
  headersMs: 10_000,
  bodyMs: 25_000,
  bodyIdleMs: 10_000,
  readerSpanMs: 10_000,
  readerBytes: 64 * 1024,
  lingerMs: 5_000,
  keepAliveMs: 65_000,
}
