/** Pages on the developer's own machine, on any port. */
const ANY_LOCAL_ORIGIN = 'http://localhost:*'

/**
 * Normalises the origin of a shop's pages to the form sent by browsers: https, or http on localhost. Null for
 * any other text.
 */
export function parsePageOrigin(text: string): string | null {
  const written = text.trim()
  if (written.toLowerCase() === ANY_LOCAL_ORIGIN) return ANY_LOCAL_ORIGIN
  // A URL may contain much that an origin may not: wildcards, spaces and addresses without slashes.
  if (!/^https?:\/\/[^\s*?#@\\/]+\/?$/i.test(written)) return null
  const { protocol, hostname, origin } = URL.parse(written) ?? {}
  if (origin === undefined || hostname === undefined) return null
  return protocol === 'https:' || hostname === 'localhost' ? origin : null
}

/** Whether a page's origin is in the list, as from `parsePageOrigin`. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  return allowed.includes(ANY_LOCAL_ORIGIN) && /^http:\/\/localhost(:\d{1,5})?$/.test(origin)
}
