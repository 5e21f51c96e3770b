import { MAX_PATH_LENGTH } from './bundle-limits.ts'

/** The file that describes the template. */
export const DESCRIPTION_FILE = 'template.json'

/** The regular files of a bundle in a folder, a zip or memory, by relative path with forward slashes. */
export type BundleFiles = {
  list(): Promise<readonly BundleFile[]>
  /** The whole file. Rejects where the path is not in the list. */
  read(path: string): Promise<Uint8Array>
}

export type BundleFile = { readonly path: string; readonly sizeBytes: number }

/** Files that operating systems leave in folders and zips. */
export function isSystemFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return path.startsWith('__MACOSX/') || name === '.DS_Store' || name === 'Thumbs.db' || name === 'desktop.ini'
}

/**
 * What was expected of a path that must not be in a bundle, or null for a good one.
 * Refuses paths out of the folder on any system: absolute ones, drives, backslashes, `..`.
 */
export function findPathFault(path: string): string | null {
  if (path.length === 0 || path.length > MAX_PATH_LENGTH) return `a path of 1 to ${MAX_PATH_LENGTH} characters`
  if (/\p{Cc}/u.test(path)) return 'a path without control characters'
  if (path.includes('\\')) return 'a path with forward slashes'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'a path relative to the folder'
  if (path.split('/').some(segment => segment === '' || segment === '.' || segment === '..')) {
    return 'a path inside the folder, without empty, "." or ".." parts'
  }
  return null
}
