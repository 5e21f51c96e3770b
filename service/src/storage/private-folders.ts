import { mkdir, mkdtemp, readdir, realpath, rm, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { isAlive } from './is-alive.ts'

/**
 * Folders for the files of one request each, readable only by this user, in a common root. Opening the root
 * removes those of dead processes, identified by the process id in their names, so machines must not share a
 * root.
 */
export class PrivateFolders {
  readonly root: string

  private constructor(root: string) {
    this.root = root
  }

  static async open(root: string): Promise<PrivateFolders> {
    await mkdir(root, { recursive: true, mode: 0o700 })
    for (const name of await readdir(root)) {
      const pid = Number(/^(?:request|process)-(\d+)-/.exec(name)?.[1])
      if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue
      await rm(path.join(root, name), { recursive: true, force: true })
    }
    return new PrivateFolders(await realpath(root))
  }

  /** Creates a new, empty folder. */
  async create(): Promise<PrivateFolder> {
    return new PrivateFolder(await mkdtemp(path.join(this.root, `request-${process.pid}-`)))
  }
}

/** A folder that is removed with its files. */
export class PrivateFolder implements AsyncDisposable {
  readonly path: string

  constructor(folder: string) {
    this.path = folder
  }

  /** The path of a file in the folder. */
  file(name: string): string {
    return path.join(this.path, name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const names = await readdir(this.path)
      await Promise.all(names.map(name => unlink(this.file(name))))
      await rmdir(this.path)
    } catch {
      // The render process of a cancelled job may still be writing here, so deletion is retried.
      await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  }
}
