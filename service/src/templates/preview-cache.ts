import { LocalCache } from '../storage/local-cache.ts'
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
 * bundle. Each is made when it is first asked for.
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
   * The folder of a preview, made now unless it is there.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async folderOf({ accountId, key, make, beforeMaking }: PreviewRequest): Promise<string> {
    const folder = this.#cache.path(key)
    if (await this.#cache.use(key)) return folder
    if (!this.#making.has(key)) {
      // A page asks for all layers at once: that is one preview.
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
