import { opendir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'

/** Bytes that this user may still write to a folder's disk. */
export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // A file system without an inode table reports no files.
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}

/** Total size of all files below a folder, in bytes; files that disappear meanwhile are skipped. */
export async function folderBytes(folder: string): Promise<number> {
  let sizeBytes = 0
  const entries = await opendir(folder, { recursive: true }).catch(() => [])
  for await (const entry of entries) {
    if (entry.isFile())
      sizeBytes += await stat(path.join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return sizeBytes
}
