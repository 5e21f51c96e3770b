import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { isPlainFile } from '../storage/plain-file.ts'
import { ImportQueue } from './import-queue.ts'
import { PREVIEW_CACHE_BYTES } from './limits.ts'

/** Who asks for a preview, and how it is made. */
export type PreviewRequest = {
  readonly accountId: string
  /** Names the version of the template. */
  readonly key: string
  /** Writes it into a folder, in a sandboxed process. */
  readonly make: (toFolder: string) => Promise<void>
  /** Called where it has to be made. What it throws is the answer. */
  readonly beforeMaking: () => Promise<void>
}

/**
 * Bundles of templates at the width of a preview, on the local disk, for those who may not have the whole
 * bundle. Each is made when it is first asked for; the longest unused are dropped beyond a size. A folder is
 * complete or absent, and never changes, so several services may share it.
 */
export class PreviewCache {
  readonly #root: string
  readonly #maxBytes: number
  readonly #queue = new ImportQueue()
  readonly #making = new Map<string, Promise<void>>()
  /** By account and preview. */
  readonly #counting = new Map<string, Promise<void>>()

  constructor(root: string, maxBytes = PREVIEW_CACHE_BYTES) {
    this.#root = path.resolve(root)
    this.#maxBytes = maxBytes
  }

  /**
   * The folder of a preview, made now unless it is there.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async folderOf({ accountId, key, make, beforeMaking }: PreviewRequest): Promise<string> {
    const folder = path.join(this.#root, key)
    const now = new Date()
    // The time says when it was used last.
    const isThere = await utimes(folder, now, now).then(
      () => true,
      () => false,
    )
    if (isThere) return folder
    if (!this.#making.has(key)) {
      // A page asks for all layers at once: that is one preview.
      const asked = `${accountId}/${key}`
      const counting = this.#counting.get(asked) ?? beforeMaking().finally(() => this.#counting.delete(asked))
      this.#counting.set(asked, counting)
      await counting
    }
    let making = this.#making.get(key)
    if (!making) {
      making = this.#queue.inspect(accountId, () => this.#make(make, folder)).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    await making
    return folder
  }

  async remove(key: string): Promise<void> {
    await rm(path.join(this.#root, key), { recursive: true, force: true })
  }

  async #make(make: PreviewRequest['make'], folder: string): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 })
    const draft = await mkdtemp(path.join(this.#root, '.draft-'))
    try {
      await make(draft)
      // A process that was taken over may have put a link there, which would be followed when it is read.
      await measureFolder(draft)
      await rename(draft, folder).catch(async (error: unknown) => {
        // Another process was first.
        if ((await readdir(folder).catch(() => [])).length === 0) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    await this.#dropBeyond(folder)
  }

  async #dropBeyond(newest: string): Promise<void> {
    const names = (await readdir(this.#root)).filter(name => !name.startsWith('.'))
    const folders = await Promise.all(
      names.map(async name => {
        const folder = path.join(this.#root, name)
        try {
          return { folder, usedAtMs: (await lstat(folder)).mtimeMs, sizeBytes: await measureFolder(folder) }
        } catch {
          // It is dropped by another process meanwhile.
          return { folder, usedAtMs: 0, sizeBytes: 0 }
        }
      }),
    )
    let sizeBytes = folders.reduce((sum, each) => sum + each.sizeBytes, 0)
    for (const each of folders.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (sizeBytes <= this.#maxBytes) return
      if (each.folder === newest) continue
      await rm(each.folder, { recursive: true, force: true })
      sizeBytes -= each.sizeBytes
    }
  }
}

/** The size of a folder of plain files. @throws where there is anything else in it */
async function measureFolder(folder: string): Promise<number> {
  let sizeBytes = 0
  for (const name of await readdir(folder)) {
    const status = await lstat(path.join(folder, name))
    if (!isPlainFile(status)) throw new Error(`the preview has something that is no file: ${name}`)
    sizeBytes += status.size
  }
  return sizeBytes
}
