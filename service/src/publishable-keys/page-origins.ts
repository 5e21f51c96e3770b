/** Pages on the developer's own machine, at whatever port. */
const ANY_LOCAL_ORIGIN = 'http://localhost:*'

/**
 * The origin of a shop's pages in the one form that browsers send: https, or http on localhost. Null for
 * what is no such origin.
 */
export function parsePageOrigin(text: string): string | null {
  const written = text.trim()
  if (written.toLowerCase() === ANY_LOCAL_ORIGIN) return ANY_LOCAL_ORIGIN
  // A URL takes much that is no origin: wildcards, spaces and addresses without slashes.
  if (!/^https?:\/\/[^\s*?#@\\/]+\/?$/i.test(written)) return null
  const { protocol, hostname, origin } = URL.parse(written) ?? {}
  if (origin === undefined || hostname === undefined) return null
  return protocol === 'https:' || hostname === 'localhost' ? origin : null
}

/** Whether a page of this origin is one of those, as by `parsePageOrigin`. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  return allowed.includes(ANY_LOCAL_ORIGIN) && /^http:\/\/localhost(:\d{1,5})?$/.test(origin)
}
