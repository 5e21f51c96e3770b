/** How long clients may take. Each bound has its reason; tests shorten them. */
export interface HttpDeadlines {
  /** The request line and headers, in milliseconds. Browsers and clients send them in one packet. */
  readonly headersMs: number
  /** The whole body, in milliseconds: less than the 28 s after which the whole request is given up, enough for 20 MB at 7 Mbit/s. */
  readonly bodyMs: number
  /** The longest pause inside a body, in milliseconds. */
  readonly bodyIdleMs: number
  /** Reading an answer: in each such span, in milliseconds, a client must have taken at least `readerBytes`. */
  readonly readerSpanMs: number
  /** See `readerSpanMs`: 64 KiB in 10 s is slower than any modem that still dials. */
  readonly readerBytes: number
  /** What is left of a body after its request was answered is read and dropped for so long, in milliseconds, so that the client sees the answer. */
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
