import type { Stats } from 'node:fs'

/**
 * Whether it is a file of its own: no link, no second name of another file, no folder, no pipe. A sandboxed
 * process that was taken over may leave any of these where its work should be.
 */
export function isPlainFile(status: Pick<Stats, 'isFile' | 'nlink'>): boolean {
  return status.isFile() && status.nlink === 1
}
