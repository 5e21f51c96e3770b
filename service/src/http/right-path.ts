import { endpoints } from '@vitrine/contract'
import { API_BASE } from './request-target.ts'

/** The endpoint that a path nearly is: with slashes too many, another base or blanks. Null for others. */
export function findMeantPath(path: string): string | null {
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Compared as it is.
  }
  const plain = decoded
    .toLowerCase()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/[\s/]+$/, '')
  const meant = Object.values(endpoints).find(endpoint => plain.endsWith(endpoint.path))
  return meant === undefined ? null : `${API_BASE}${meant.path}`
}
