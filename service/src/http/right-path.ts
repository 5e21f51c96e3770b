import { endpoints } from '@vitrine/contract'
import { API_BASE } from './request-target.ts'

/**
 * The endpoint that a mistyped path most likely means (extra slashes, another base, blanks); null if none.
 */
export function findMeantPath(path: string): string | null {
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
  const meant = Object.values(endpoints).find(endpoint => plain.endsWith(endpoint.path))
  return meant === undefined ? null : `${API_BASE}${meant.path}`
}
