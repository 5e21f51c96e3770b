import { limits } from '@vitrine/contract'

/** A parsed URL, or why it cannot be fetched. */
export type ParsedArtworkUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: 'too_long' | 'not_http' | 'not_a_url' | 'has_credentials' }

/**
 * Parses an artwork URL as browsers do (WHATWG), so that every check sees the host in normal form. WHATWG
 * also accepts `http:example.com`, leading blanks and more: the interface does not.
 */
export function parseArtworkUrl(text: string): ParsedArtworkUrl {
  if (text.length > limits.urlCharactersMax) return { ok: false, reason: 'too_long' }
  if (!/^https?:\/\//i.test(text)) return { ok: false, reason: 'not_http' }
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return { ok: false, reason: 'not_a_url' }
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'has_credentials' }
  return { ok: true, url }
}

/** The port of a URL, or its scheme's default. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
