/** What the paths of the API begin with. */
export const API_BASE = '/api/v1'

/**
 * The path and query of a request's target, for the router. Absolute targets (RFC 9112, 3.2.2) lose their
 * origin. A path that cannot be decoded becomes one that does not exist.
 */
export function normalizeTarget(target: string): string {
  // Only escapes cannot be decoded.
  if (target.startsWith('/') && !target.includes('%')) return target
  const url = target.replace(/^https?:\/\/[^/?#]*/i, '')
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url.startsWith('/') ? url : `/${url}`
  } catch {
    return url.startsWith(`${API_BASE}/`) ? `${API_BASE}/unreadable` : '/unreadable'
  }
}
