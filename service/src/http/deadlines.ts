/** How long clients may take. Tests shorten it. */
export type HttpDeadlines = {
  /** The request line and headers, in milliseconds. Browsers and clients send them in one packet. */
  readonly headersMs: number
  /** The whole body, in milliseconds: below the 28 s of the whole request, enough for 20 MB at 7 Mbit/s. */
  readonly bodyMs: number
  /** A file that is sent to the dashboard or through a link: nobody waits for a mockup. In milliseconds. */
  readonly uploadMs: number
  /** The longest pause inside a body, in milliseconds. */
  readonly bodyIdleMs: number
  /** A client that reads an answer must take at least `readerBytes` in each such span, in milliseconds. */
  readonly readerSpanMs: number
  readonly readerBytes: number
  /** The rest of a body is read and dropped for this time after the answer, so that the client sees it. */
  readonly lingerMs: number
  /** Unused kept-alive connections, in milliseconds: longer than the 60 s that load balancers hold them. */
  readonly keepAliveMs: number
}

export const defaultDeadlines: HttpDeadlines = {
  headersMs: 10_000,
  bodyMs: 25_000,
  uploadMs: 40_000,
  bodyIdleMs: 10_000,
  readerSpanMs: 10_000,
  readerBytes: 64 * 1024,
  lingerMs: 5_000,
  keepAliveMs: 65_000,
}
