import type { Stats } from 'node:fs'

/**
 * Whether it is a regular file without other hard links, not a link, folder or pipe. A compromised sandboxed
 * process may leave any of these in place of its output.
 */
export function isPlainFile(status: Pick<Stats, 'isFile' | 'nlink'>): boolean {
  return status.isFile() && status.nlink === 1
}
