import { limits } from '@vitrine/contract'

/** The longest artwork URL that is accepted, in characters. Longer ones are no links that people make. */
export const MAX_URL_LENGTH = limits.urlCharactersMax

/** Redirects that are followed; the one after is refused. Real image hosts use one to three. */
export const MAX_REDIRECTS = 5

/** The largest artwork file, in bytes: the interface's 20 MB. */
export const MAX_ARTWORK_BYTES = limits.artworkSizeBytesMax

/** Everything from the first look-up to the last byte must be over within this time: the interface's 15 seconds. */
export const DOWNLOAD_DEADLINE_MS = 15_000

/** Response headers of one answer, in bytes. Servers of pictures send a few hundred. */
export const MAX_HEADER_BYTES = 16 * 1024

/** How long one DNS query waits before it is asked again. The whole look-up is bounded by the download's deadline. */
export const DNS_QUERY_TIMEOUT_MS = 2000

/** How long the second address family may lag behind a first one that has answered. */
export const DNS_SECOND_FAMILY_MS = 1500

/** How long one of several addresses may take to accept a connection before the next is tried. */
export const CONNECT_ATTEMPT_MS = 3000
