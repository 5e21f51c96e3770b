import { endpoints } from '@vitrine/contract'
import { API_BASE } from './request-target.ts'

/** The endpoint that a mistyped path probably means (extra slashes, another base, blanks), or null. */
export function suggestPath(path: string): string | null {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Undecodable: compared as it is.
  }
  const plain = decoded
    .toLowerCase()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/[\s/]+$/, '')
  const endpoint = Object.values(endpoints).find(({ path }) => plain.endsWith(path))
  return endpoint === undefined ? null : `${API_BASE}${endpoint.path}`
}
