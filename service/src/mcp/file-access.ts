import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@vitrine/contract'
import { ArtworkError, inspectArtwork } from '@vitrine/engine'

/** Names of one picture that are tried before it is given up. */
const NAMES_MAX = 1000

/** The files that an assistant may read and write: those below one folder, whatever links lie in it. */
export class FileAccess {
  readonly #root: string

  private constructor(root: string) {
    this.#root = root
  }

  /** @throws {Error} where there is no such folder */
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
    const file = await realpath(path.resolve(this.#root, given)).catch(() => null)
    if (file === null || !this.#contains(file))
      throw new Error(`Expected a picture below ${this.#root} but there is none at ${JSON.stringify(given)}.`)
    // A pipe or a device would never end, and a link may have replaced it.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
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

  /** A folder below the root, made where it is missing. @throws {Error} for the assistant */
  async findFolder(given: string): Promise<string> {
    const folder = path.resolve(this.#root, given)
    if (folder !== this.#root && !this.#contains(folder)) throw this.#outside(given)
    // A link on the way may lead out: folders are made one by one, each where the one before really is.
    let real = this.#root
    for (const name of path.relative(this.#root, folder).split(path.sep)) {
      if (name === '') continue
      const next = path.join(real, name)
      await mkdir(next).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      real = await realpath(next)
      if (!this.#contains(real)) throw this.#outside(given)
    }
    if (!(await stat(real)).isDirectory()) throw new Error(`Expected a folder but ${JSON.stringify(given)} is none.`)
    return real
  }

  /**
   * Puts a finished picture into a folder under a name of its own: a file that is there is left as it is, and
   * is the answer where it has the same bytes. A link in its place is replaced or left, never followed.
   *
   * @param folder as `findFolder` returned it
   * @returns its path
   */
  async keep(picture: string, folder: string, name: string, isOverwriting: boolean): Promise<string> {
    const { name: stem, ext } = path.parse(name)
    const bytes = await readFile(picture)
    if (isOverwriting) return replaceFile(picture, path.join(folder, name))
    for (let count = 1; count <= NAMES_MAX; count++) {
      const file = path.join(folder, count === 1 ? name : `${stem}-${count}${ext}`)
      try {
        await copyFile(picture, file, constants.COPYFILE_EXCL)
        return file
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
      if (await hasBytes(file, bytes)) return file
    }
    throw new Error(`There are too many files like ${name} in ${folder}.`)
  }

  #contains(file: string): boolean {
    const relative = path.relative(this.#root, file)
    return relative !== '' && !relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative)
  }

  #outside(given: string): Error {
    return new Error(`Expected a folder below ${this.#root} but received ${JSON.stringify(given)}.`)
  }
}

/** Writes beside the file and renames: what is there, a link included, is replaced as a whole. */
async function replaceFile(picture: string, file: string): Promise<string> {
  const part = path.join(path.dirname(file), `.${randomUUID()}.part`)
  try {
    await copyFile(picture, part, constants.COPYFILE_EXCL)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return file
}

/** False for a link: it may lead out of the root. */
async function hasBytes(file: string, bytes: Buffer): Promise<boolean> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (handle === null) return false
  try {
    const status = await handle.stat()
    return status.isFile() && status.size === bytes.length && (await handle.readFile()).equals(bytes)
  } finally {
    await handle.close()
  }
}

function assertPicture(bytes: Uint8Array): void {
  try {
    inspectArtwork(bytes)
  } catch (error) {
    if (error instanceof ArtworkError) throw new Error(`The artwork cannot be used: ${error.message}`, { cause: error })
    throw error
  }
}
