import { opendir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'

/** Bytes that this user may still write to the disk of a folder. */
export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // A file system without a table of files counts none.
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}

/** Bytes of all files below a folder; files that come and go meanwhile are left out. */
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
