import { LocalCache } from '../storage/local-cache.ts'
import { ImportQueue } from './import-queue.ts'
import { PREVIEW_CACHE_BYTES } from './limits.ts'

/** Who requests a preview, and how to make it. */
export type PreviewRequest = {
  readonly accountId: string
  /** Identifies the version of the template. */
  readonly key: string
  /** Writes the preview to a folder, in a sandboxed process. */
  readonly make: (toFolder: string) => Promise<void>
  /** Called before the preview is made. An error that it throws is passed to the caller. */
  readonly beforeMaking: () => Promise<void>
}

/**
 * Bundles reduced to a preview's width, on the local disk, for accounts that may not download the whole
 * bundle. Each is made on first use.
 */
export class PreviewCache {
  readonly #cache: LocalCache
  readonly #queue = new ImportQueue()
  readonly #making = new Map<string, Promise<void>>()
  /** By account and preview. */
  readonly #counting = new Map<string, Promise<void>>()

  constructor(root: string, maxBytes = PREVIEW_CACHE_BYTES) {
    this.#cache = new LocalCache(root, { maxBytes })
  }

  /**
   * The folder of a preview, which is made now if it is missing.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async folderOf({ accountId, key, make, beforeMaking }: PreviewRequest): Promise<string> {
    const folder = this.#cache.path(key)
    if (await this.#cache.use(key)) return folder
    if (!this.#making.has(key)) {
      // A page requests all layers at once, which counts as one preview.
      const asked = `${accountId}/${key}`
      const counting = this.#counting.get(asked) ?? beforeMaking().finally(() => this.#counting.delete(asked))
      this.#counting.set(asked, counting)
      await counting
    }
    let making = this.#making.get(key)
    if (!making) {
      making = this.#queue.inspect(accountId, () => this.#make(make, key)).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    await making
    return folder
  }

  remove(key: string): Promise<void> {
    return this.#cache.drop(key)
  }

  async #make(make: PreviewRequest['make'], key: string): Promise<void> {
    await this.#cache.add(key, async draft => {
      await make(draft)
      return draft
    })
    await this.#cache.list()
    await this.#cache.dropBeyond(key)
  }
}
