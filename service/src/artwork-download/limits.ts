/** Redirects that are followed. Real image hosts use one to three. */
export const MAX_REDIRECTS = 5

/** Time for a whole download, from the request for it to the last byte, by the interface. */
export const DOWNLOAD_DEADLINE_MS = 15_000

/** Headers of one response, in bytes. Image hosts send a few hundred. */
export const MAX_HEADER_BYTES = 16 * 1024

/** Time for one DNS query before it is repeated. The download's deadline bounds the whole look-up. */
export const DNS_QUERY_TIMEOUT_MS = 2000

/** How long to wait for the second address family once the first has answered. */
export const DNS_SECOND_FAMILY_MS = 1500

/** Time for one of several addresses to accept a connection before the next is tried. */
export const CONNECT_ATTEMPT_MS = 3000

/** Downloads of one request under way, by the interface: most requests have one artwork, a few have 16. */
export const REQUEST_DOWNLOADS_MAX = 4

/** Downloads of one account under way, by the interface: an eighth of all, so that no account takes them. */
export const ACCOUNT_DOWNLOADS_MAX = 8

/** Downloads from one host under way, by the interface: what a browser opens over HTTP/1.1. */
export const HOST_DOWNLOADS_MAX = 6

/** Downloads of this process under way, by the interface: each holds up to 512 KiB and two descriptors. */
export const DOWNLOADS_MAX = 64

/** Bytes that an account may download for failed requests in `FAILED_BYTES_SPAN_MS`: ten large artworks. */
export const FAILED_BYTES_MAX = 200 * 1024 * 1024

/** The span in which `FAILED_BYTES_MAX` is forgotten, in milliseconds. */
export const FAILED_BYTES_SPAN_MS = 600_000

/** What a connection counts for beside its bytes: refused and empty answers are work for their host, too. */
export const CONNECTION_COST_BYTES = 64 * 1024
