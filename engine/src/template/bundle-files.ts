import { MAX_PATH_LENGTH } from './bundle-limits.ts'

/** The file that describes the template. */
export const DESCRIPTION_FILE = 'template.json'

/**
 * The regular files of a bundle in a folder, a zip or memory, by relative path with forward slashes, in NFC:
 * macOS writes names in another Unicode form than its keyboards.
 */
export type BundleFiles = {
  list(): Promise<readonly BundleFile[]>
  /** The whole file. Rejects where the path is not in the list. */
  read(path: string): Promise<Uint8Array>
}

export type BundleFile = { readonly path: string; readonly sizeBytes: number }

/** What macOS, Windows and network storage leave in folders and zips: whole folders, and files. */
const systemFolders =
  /(?:^|\/)(?:__MACOSX|@eaDir|#recycle|\$RECYCLE\.BIN|System Volume Information|lost\+found)(?:\/|$)/i
const systemFiles = /(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db|ehthumbs\.db|desktop\.ini)$/i

/** Whether a file or a folder is one that operating systems leave in folders and zips. */
export function isSystemFile(path: string): boolean {
  return systemFolders.test(path) || systemFiles.test(path)
}

/** A path as the files of a bundle are named. */
export const bundlePath = (path: string): string => path.normalize('NFC')

/** Two paths that are one, for a fault. */
export function describeTwins(path: string, twin: string): string {
  return `${twin} and ${path}${bundlePath(path) === bundlePath(twin) ? ' in another Unicode form' : ''}`
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
