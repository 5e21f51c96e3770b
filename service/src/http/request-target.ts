/** The base path of the API. */
export const API_BASE = '/api/v1'

/**
 * The path and query of a request target, for the router. Strips the origin of absolute targets (RFC 9112,
 * 3.2.2). A path that cannot be decoded is replaced by one that does not exist.
 */
export function normalizeTarget(target: string): string {
  // Only percent-escapes can fail to decode.
  if (target.startsWith('/') && !target.includes('%')) return target
  const url = target.replace(/^https?:\/\/[^/?#]*/i, '')
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url.startsWith('/') ? url : `/${url}`
  } catch {
    return url.startsWith(`${API_BASE}/`) ? `${API_BASE}/unreadable` : '/unreadable'
  }
}
