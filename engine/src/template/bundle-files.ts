import { MAX_PATH_LENGTH } from './bundle-limits.ts'

/** The file that describes the template. */
export const DESCRIPTION_FILE = 'template.json'

/**
 * The regular files of a bundle in a folder, a zip or memory, by relative path with forward slashes, in NFC:
 * macOS file names may be in another normalisation form than typed text.
 */
export type BundleFiles = {
  list(): Promise<readonly BundleFile[]>
  /** The whole file. Rejects if the path is not in the list. */
  read(path: string): Promise<Uint8Array>
}

export type BundleFile = { readonly path: string; readonly sizeBytes: number }

/** Folders and files that macOS, Windows and network storage add to folders and zips. */
const systemFolders =
  /(?:^|\/)(?:__MACOSX|@eaDir|#recycle|\$RECYCLE\.BIN|System Volume Information|lost\+found)(?:\/|$)/i
const systemFiles = /(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db|ehthumbs\.db|desktop\.ini)$/i

/** Whether a file or folder was added by an operating system. */
export function isSystemFile(path: string): boolean {
  return systemFolders.test(path) || systemFiles.test(path)
}

/** Normalises a path as the keys of bundle files. */
export const bundlePath = (path: string): string => path.normalize('NFC')

/** Describes two equal paths for a fault. */
export function describeTwins(path: string, twin: string): string {
  return `${twin} and ${path}${bundlePath(path) === bundlePath(twin) ? ' in another Unicode form' : ''}`
}

/**
 * What a valid path of a bundle must be, or null for a valid one. Refuses paths that leave the folder on any
 * system: absolute paths, drives, backslashes, `..`.
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
