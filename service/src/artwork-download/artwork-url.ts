import { MAX_URL_LENGTH } from './limits.ts'

/** What a piece of text that should be an artwork URL turned out to be. */
export type ParsedArtworkUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: 'too_long' | 'not_http' | 'not_a_url' | 'has_credentials' }

/**
 * Reads an artwork URL as browsers do (WHATWG), so that every spelling of a host has become one before anything looks at it.
 *
 * The text itself must begin with `http://` or `https://`: WHATWG would also accept `http:example.com`, leading blanks and
 * more, and the interface promises the plain rule. Credentials in a URL are refused: nothing here sends any.
 */
export function parseArtworkUrl(text: string): ParsedArtworkUrl {
  if (text.length > MAX_URL_LENGTH) return { ok: false, reason: 'too_long' }
  if (!/^https?:\/\//i.test(text)) return { ok: false, reason: 'not_http' }
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return { ok: false, reason: 'not_a_url' }
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'has_credentials' }
  return { ok: true, url }
}

/** The port that a URL leads to, its scheme's own when it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
