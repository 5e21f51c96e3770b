/** Deadlines for clients. Tests shorten them. */
export type HttpDeadlines = {
  /** For the request line and headers, in milliseconds. Clients send them in one packet. */
  readonly headersMs: number
  /** For the whole body, in milliseconds: within the 28 s of a request, and enough for 20 MB at 7 Mbit/s. */
  readonly bodyMs: number
  /** For a file uploaded to the dashboard or through a link, in milliseconds. No mockup waits for it. */
  readonly uploadMs: number
  /** The longest pause within a body, in milliseconds. */
  readonly bodyIdleMs: number
  /** A client must read at least `readerBytes` of an answer within each such interval, in milliseconds. */
  readonly readerSpanMs: number
  readonly readerBytes: number
  /** How long the rest of a body is read and discarded after the answer, so that the client sees that. */
  readonly lingerMs: number
  /** How long idle connections stay open, in milliseconds: longer than the 60 s of load balancers. */
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
