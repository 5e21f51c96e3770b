import { mkdir, mkdtemp, readdir, realpath, rm, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'

/**
 * Folders for the files of one request each, readable by this user alone, and gone when the request is over.
 *
 * All lie in one root. The folders of a killed process are removed when the root is opened the next time;
 * each name has the id of its process, so that another living process on the machine keeps its own. The root
 * must not be shared between machines or containers.
 */
export class PrivateFolders {
  /** The folder that all of them are in. */
  readonly root: string

  private constructor(root: string) {
    this.root = root
  }

  /** Makes the root, and removes the folders of dead processes. */
  static async open(root: string): Promise<PrivateFolders> {
    await mkdir(root, { recursive: true, mode: 0o700 })
    const folders = new PrivateFolders(await realpath(root))
    await folders.#clearRemains()
    return folders
  }

  /** A new, empty folder. */
  async create(): Promise<PrivateFolder> {
    return new PrivateFolder(await mkdtemp(path.join(this.root, `request-${process.pid}-`)))
  }

  async #clearRemains(): Promise<void> {
    for (const name of await readdir(this.root)) {
      const pid = Number(/^(?:request|process)-(\d+)-/.exec(name)?.[1])
      if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue
      await rm(path.join(this.root, name), { recursive: true, force: true })
    }
  }
}

/** A folder that is removed with all that is in it. */
export class PrivateFolder implements AsyncDisposable {
  readonly path: string

  constructor(folder: string) {
    this.path = folder
  }

  /** The path of a file in it. */
  file(name: string): string {
    return path.join(this.path, name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const names = await readdir(this.path)
      await Promise.all(names.map(name => unlink(this.file(name))))
      await rmdir(this.path)
    } catch {
      // A render process whose job was cancelled may still be writing here. This finds out about each file
      // what it is, and tries again.
      await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
