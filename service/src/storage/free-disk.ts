import { statfs } from 'node:fs/promises'

/** Bytes that this user may still write to the disk of a folder. */
export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // A file system without a table of files counts none.
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}
