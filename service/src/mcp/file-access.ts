import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  constants,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@vitrine/contract'
import { ArtworkError, inspectArtwork } from '@vitrine/engine'
import { pathOf } from './artwork-path.ts'

/** File names that are tried for a picture before giving up. */
const NAMES_MAX = 1000

/** A host name with a path. */
const looksLikeAddress = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/|^localhost[:/]/i

/** The files that an assistant may read and write: only those below one folder, despite any links in it. */
export class FileAccess {
  readonly #root: string

  private constructor(root: string) {
    this.#root = root
  }

  /** @throws {Error} if there is no such folder */
  static async open(root: string): Promise<FileAccess> {
    const real = await realpath(root)
    if (!(await stat(real)).isDirectory()) throw new Error(`Expected a folder but ${root} is none.`)
    return new FileAccess(real)
  }

  get root(): string {
    return this.#root
  }

  /** The real path of a picture below the root, and the SHA-256 of its bytes. Errors are for assistants. */
  async findArtwork(given: string): Promise<{ readonly file: string; readonly sha256: string }> {
    const file = await realpath(path.resolve(this.#root, pathOf(given))).catch(() => null)
    if (file === null || !this.#contains(file)) {
      const advice = looksLikeAddress.test(given) ? ' An address begins with https://.' : ''
      throw new Error(`Expected a picture below ${this.#root} but there is none at ${JSON.stringify(given)}.${advice}`)
    }
    // O_NONBLOCK and O_NOFOLLOW: a pipe or device would block, and a link may have replaced the file.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      await this.#assertBelow(handle, file, given)
      const { size } = await handle.stat().then(status => {
        if (!status.isFile()) throw new Error(`Expected a file but ${JSON.stringify(given)} is none.`)
        return status
      })
      if (size > limits.artworkSizeBytesMax)
        throw new Error(`Expected a picture of at most ${limits.artworkSizeBytesMax} bytes but it has ${size}.`)
      const bytes = await handle.readFile()
      assertPicture(bytes)
      return { file, sha256: createHash('sha256').update(bytes).digest('hex') }
    } finally {
      await handle.close()
    }
  }

  /** A folder below the root, created if missing. @throws {Error} for the assistant */
  async findFolder(given: string): Promise<string> {
    const folder = path.resolve(this.#root, pathOf(given))
    if (folder !== this.#root && !this.#contains(folder)) throw this.#outside(given)
    // A link on the way may lead outside, so folders are created one by one, below the parent's real path.
    let real = this.#root
    for (const name of path.relative(this.#root, folder).split(path.sep)) {
      if (name === '') continue
      real = await this.#inFolder(real, given, async place => {
        const next = path.join(place, name)
        await mkdir(next).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error
        })
        return realpath(next).catch(() => '')
      })
      if (!this.#contains(real)) throw this.#outside(given)
    }
    if (!(await stat(real)).isDirectory()) throw new Error(`Expected a folder but ${JSON.stringify(given)} is none.`)
    return real
  }

  /**
   * Saves a finished picture in a folder. If a file of that name exists, it is replaced if overwriting, used
   * if it has the same bytes, and otherwise another name is chosen. A link is replaced itself, never its
   * target.
   *
   * @returns its path
   */
  save(picture: string, folder: string, name: string, isOverwriting: boolean): Promise<string> {
    return this.#inFolder(folder, folder, async place => {
      if (!isOverwriting) return path.join(folder, await copyBeside(picture, place, name))
      const draft = path.join(place, `.${randomUUID()}`)
      try {
        await copyFile(picture, draft, constants.COPYFILE_EXCL)
        await rename(draft, path.join(place, name))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      return path.join(folder, name)
    })
  }

  /**
   * Runs work in a folder below the root. On Linux the folder is accessed by its descriptor, so that the work
   * is done in the verified folder even if a link replaces it meanwhile.
   */
  async #inFolder<Result>(folder: string, given: string, work: (place: string) => Promise<Result>): Promise<Result> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
    const handle = await open(folder, flags).catch((error: NodeJS.ErrnoException) => {
      throw ['ELOOP', 'ENOTDIR', 'ENOENT'].includes(error.code ?? '') ? this.#outside(given) : error
    })
    try {
      await this.#assertBelow(handle, folder, given)
      return await work(placeOf(handle) ?? folder)
    } finally {
      await handle.close()
    }
  }

  /** Checks where the opened folder really is, since a parent may have been replaced by a link. */
  async #assertBelow(handle: FileHandle, opened: string, given: string): Promise<void> {
    const real = await realpath(placeOf(handle) ?? opened)
    if (real !== this.#root && !this.#contains(real)) throw this.#outside(given)
  }

  #contains(file: string): boolean {
    const relative = path.relative(this.#root, file)
    return relative !== '' && !relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative)
  }

  #outside(given: string): Error {
    return new Error(`Expected a folder below ${this.#root} but received ${JSON.stringify(given)}.`)
  }
}

/** The path of an open file that no link can change; null if the system has none (not Linux). */
function placeOf({ fd }: FileHandle): string | null {
  const place = `/proc/self/fd/${fd}`
  return process.platform === 'linux' && existsSync(place) ? place : null
}

/** Copies a picture into a folder without overwriting. @returns its name */
async function copyBeside(picture: string, place: string, name: string): Promise<string> {
  const { name: stem, ext } = path.parse(name)
  const bytes = await readFile(picture)
  for (let count = 1; count <= NAMES_MAX; count++) {
    const free = count === 1 ? name : `${stem}-${count}${ext}`
    try {
      await copyFile(picture, path.join(place, free), constants.COPYFILE_EXCL)
      return free
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    if (await hasBytes(path.join(place, free), bytes)) return free
  }
  throw new Error(`There are too many files like ${name}.`)
}

/** Whether a file has these bytes and is not a link. */
async function hasBytes(file: string, bytes: Buffer): Promise<boolean> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch(() => null)
  try {
    const status = await handle?.stat()
    if (!handle || !status?.isFile() || status.size !== bytes.length) return false
    return (await handle.readFile()).equals(bytes)
  } finally {
    await handle?.close()
  }
}

function assertPicture(bytes: Uint8Array): void {
  try {
    inspectArtwork(bytes)
  } catch (error) {
    if (error instanceof ArtworkError) throw new Error(`The artwork cannot be used: ${error.advice}`, { cause: error })
    throw error
  }
}
