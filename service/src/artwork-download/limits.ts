/** Redirects that are followed. Real image hosts use one to three. */
export const MAX_REDIRECTS = 5

/** Time for a whole download, from the DNS query to the last byte, by the interface. */
export const DOWNLOAD_DEADLINE_MS = 15_000

/** Headers of one response, in bytes. Image hosts send a few hundred. */
export const MAX_HEADER_BYTES = 16 * 1024

/** Time for one DNS query before it is repeated. The download's deadline bounds the whole look-up. */
export const DNS_QUERY_TIMEOUT_MS = 2000

/** How long to wait for the second address family once the first has answered. */
export const DNS_SECOND_FAMILY_MS = 1500

/** Time for one of several addresses to accept a connection before the next is tried. */
export const CONNECT_ATTEMPT_MS = 3000
