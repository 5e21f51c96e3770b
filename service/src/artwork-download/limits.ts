/** The most redirects that are followed. Real image hosts use one to three. */
export const MAX_REDIRECTS = 5

/** Deadline of a whole download, from the request to the last byte, as the interface promises. */
export const DOWNLOAD_DEADLINE_MS = 15_000

/** Maximum headers of one response, in bytes. Image hosts send a few hundred. */
export const MAX_HEADER_BYTES = 16 * 1024

/** Timeout of one DNS query before it is repeated. The download's deadline limits the whole look-up. */
export const DNS_QUERY_TIMEOUT_MS = 2000

/** How long to wait for the second address family once the first has answered. */
export const DNS_SECOND_FAMILY_MS = 1500

/** Timeout for connecting to one of several addresses before trying the next. */
export const CONNECT_ATTEMPT_MS = 3000

/** Concurrent downloads per request, by the interface: most requests have one artwork, a few have 16. */
export const REQUEST_DOWNLOADS_MAX = 4

/** Concurrent downloads per account, by the interface: an eighth of the total, so that none takes all. */
export const ACCOUNT_DOWNLOADS_MAX = 8

/** Concurrent downloads per host, by the interface: as many as a browser opens over HTTP/1.1. */
export const HOST_DOWNLOADS_MAX = 6

/** Concurrent downloads of this process, by the interface: each holds up to 512 KiB and two descriptors. */
export const DOWNLOADS_MAX = 64

/** Bytes that an account may download for failed requests in `FAILED_BYTES_SPAN_MS`: ten large artworks. */
export const FAILED_BYTES_MAX = 200 * 1024 * 1024

/** The time in which `FAILED_BYTES_MAX` is forgotten, in milliseconds. */
export const FAILED_BYTES_SPAN_MS = 600_000

/** The fixed cost of a connection, in bytes: refused and empty answers are work for their host, too. */
export const CONNECTION_COST_BYTES = 64 * 1024
