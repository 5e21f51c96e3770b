import { MAX_PATH_LENGTH } from './bundle-limits.ts'

/** The file that describes the template. */
export const DESCRIPTION_FILE = 'template.json'

/** The files of a bundle, wherever they are. Paths are relative, with forward slashes, and name regular files only. */
export interface BundleFiles {
  list(): Promise<readonly BundleFile[]>
  /** The whole file. Rejects where the path is not in the list. */
  read(path: string): Promise<Uint8Array>
}

export type BundleFile = { readonly path: string; readonly sizeBytes: number }

/** What operating systems leave in folders and zips, and nobody means. */
export function isSystemFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return path.startsWith('__MACOSX/') || name === '.DS_Store' || name === 'Thumbs.db' || name === 'desktop.ini'
}

/**
 * Why a path must not be in a bundle, as the end of a sentence that begins with "expected", or null for a good path.
 * Refuses whatever leaves the folder on any system: absolute paths, drives, backslashes, `..`.
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
