import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TemplateBundle } from '../mockups/render-job.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { storedName } from './bundle-report.ts'
import type { TemplateRecord } from './template-record.ts'

/**
 * Copies of bundles on the local disk, where render processes can read them. A folder is complete or absent,
 * and never changes, so several services may share it.
 */
export class BundleCache {
  readonly #root: string
  readonly #storage: ObjectStorage
  readonly #copying = new Map<string, Promise<void>>()
  /** Folders that were present at the last look: saves a file system call for every request. */
  readonly #present = new Set<string>()

  constructor(root: string, storage: ObjectStorage) {
    this.#root = path.resolve(root)
    this.#storage = storage
  }

  async folderOf(record: TemplateRecord): Promise<TemplateBundle> {
    const key = keyOf(record.objectPrefix)
    const folder = path.join(this.#root, key)
    if (!this.#present.has(key)) {
      let copying = this.#copying.get(key)
      if (!copying) {
        copying = this.#copy(record, folder).finally(() => this.#copying.delete(key))
        this.#copying.set(key, copying)
      }
      await copying
      this.#present.add(key)
    }
    return { key, folder }
  }

  /** Removes a copy. Resolves with its key. */
  async remove(objectPrefix: string): Promise<string> {
    const key = keyOf(objectPrefix)
    this.#present.delete(key)
    await rm(path.join(this.#root, key), { recursive: true, force: true })
    return key
  }

  async #copy(record: TemplateRecord, folder: string): Promise<void> {
    if (await exists(folder)) return
    await mkdir(this.#root, { recursive: true, mode: 0o700 })
    const draft = await mkdtemp(path.join(this.#root, '.draft-'))
    try {
      for (const [index, name] of record.files.entries()) {
        const object = await this.#storage.open(record.objectPrefix + storedName(index))
        if (!object) throw new Error(`the template ${record.id} lacks the object of its file ${name}`)
        const file = path.join(draft, name)
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        await pipeline(object.content, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
      }
      await rename(draft, folder).catch(async (error: unknown) => {
        if (!(await exists(folder))) throw error // another process was first
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
}

/** `templates/oak-frame/Ab12…/` -> `oak-frame@Ab12…` */
function keyOf(objectPrefix: string): string {
  const [, id, token] = objectPrefix.split('/')
  return `${id}@${token}`
}

function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}
