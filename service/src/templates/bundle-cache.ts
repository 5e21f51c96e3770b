import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomBase62 } from '../database/new-id.ts'
import { LocalCache, USE_NOTED_EVERY_MS } from '../storage/local-cache.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { BundleDigest } from './bundle-digest.ts'
import { storedName } from './bundle-files.ts'
import type { TemplateBundle } from './template-bundle.ts'
import type { TemplateRecord } from './template-record.ts'

/** How often objects are read before they are taken to differ from the imported bundle. */
const COPY_ATTEMPTS = 2

/** A request may use a bundle for up to 28 s after requesting it. */
const UNUSED_MS = 28_000 + 2 * USE_NOTED_EVERY_MS

/**
 * Local copies of bundles, which render processes can read. Each bundle's files are verified against the
 * digest of its import when they are copied and when a process first uses them.
 */
export class BundleCache {
  readonly #cache: LocalCache
  readonly #storage: ObjectStorage
  readonly #bringing = new Map<string, Promise<TemplateBundle>>()
  /** Bundles already verified, to avoid reading their files for every request. */
  readonly #present = new Map<string, TemplateBundle>()

  constructor(root: string, storage: ObjectStorage, maxBytes: number) {
    this.#cache = new LocalCache(root, { maxBytes, unusedMs: UNUSED_MS })
    this.#storage = storage
  }

  async folderOf(record: TemplateRecord): Promise<TemplateBundle> {
    const key = keyOf(record.objectPrefix)
    const present = this.#present.get(key)
    if (present !== undefined && (await this.#cache.use(path.basename(present.folder)))) return present
    const bundle = await this.#once(key, () => this.#bring(record, key))
    await this.#cache.use(path.basename(bundle.folder))
    return bundle
  }

  /**
   * Evicts copies that no template needs any more, then the least recently used ones beyond the limit. A copy
   * that a request may be using stays until the request is over.
   *
   * @param findNamed filters object prefixes, leaving those that a template has
   * @returns the keys of the copies that no template needs
   */
  async trim(findNamed: (prefixes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<string[]> {
    const names = await this.#cache.list()
    const named = await findNamed([...new Set(names.map(prefixOf))])
    const unnamed = await this.#cache.dropOthers(name => named.has(prefixOf(name)))
    await this.#cache.dropBeyond()
    return unnamed.map(keyOfName)
  }

  /** Makes a new copy if the present one is damaged. False if it is intact. */
  async replaceBroken(record: TemplateRecord): Promise<boolean> {
    const key = keyOf(record.objectPrefix)
    const before = this.#present.get(key)
    if (before === undefined || (await isWhole(record, before.folder))) return false
    await this.#once(key, () => this.#replace(record, before))
    return true
  }

  /** Removes a copy. Resolves with its key. */
  async remove(objectPrefix: string): Promise<string> {
    const key = keyOf(objectPrefix)
    this.#present.delete(key)
    for (const name of await this.#cache.list()) if (keyOfName(name) === key) await this.#cache.drop(name)
    return key
  }

  /** Concurrent requests for a bundle share one copy operation. */
  #once(key: string, bring: () => Promise<TemplateBundle>): Promise<TemplateBundle> {
    const underWay = this.#bringing.get(key)
    if (underWay !== undefined) return underWay
    const bringing = bring()
      .then(bundle => {
        this.#present.set(key, bundle)
        return bundle
      })
      .finally(() => this.#bringing.delete(key))
    this.#bringing.set(key, bringing)
    return bringing
  }

  async #bring(record: TemplateRecord, key: string): Promise<TemplateBundle> {
    const folder = this.#cache.path(key)
    if (!(await isWhole(record, folder))) {
      await this.#cache.drop(key)
      await this.#copy(record, key)
    }
    return { key, folder, digest: record.digest }
  }

  async #replace(record: TemplateRecord, before: TemplateBundle): Promise<TemplateBundle> {
    const { key } = before
    const present = this.#present.get(key)
    if (present !== undefined && present !== before) return present // another request was first
    // A new name, since render processes hold links to the damaged files under the old one.
    const name = `${key}~${randomBase62(8)}`
    await this.#copy(record, name)
    await this.#cache.drop(path.basename(before.folder))
    return { key, folder: this.#cache.path(name), digest: record.digest }
  }

  async #copy(record: TemplateRecord, name: string): Promise<void> {
    const isFirst = await this.#cache.add(name, async draft => {
      for (let attempt = 1; attempt <= COPY_ATTEMPTS; attempt++) {
        const files = path.join(draft, String(attempt))
        await mkdir(files)
        if ((await this.#copyFiles(record, files)) === record.digest) return files
      }
      throw new Error(`the objects of the template ${record.id} are not those that were imported`)
    })
    if (!isFirst && !(await isWhole(record, this.#cache.path(name))))
      throw new Error(`another process left a broken copy of the template ${record.id}`)
  }

  /** Copies the files and returns their digest. */
  async #copyFiles(record: TemplateRecord, toFolder: string): Promise<string> {
    const digest = new BundleDigest()
    for (const [index, name] of record.files.entries()) {
      const object = await this.#storage.open(record.objectPrefix + storedName(index))
      if (!object) throw new Error(`the template ${record.id} lacks the object of its file ${name}`)
      digest.addFile(name, object.sizeBytes)
      const file = path.join(toFolder, name)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(object.content, addTo(digest), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
    }
    return digest.end()
  }
}

function addTo(digest: BundleDigest) {
  return async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      digest.addBytes(part)
      yield part
    }
  }
}

/** `oak-frame@Ab12…~another copy` -> `oak-frame@Ab12…` */
const keyOfName = (name: string): string => name.replace(/~.*$/, '')

/** `oak-frame@Ab12…`, or a name derived from it -> `templates/oak-frame/Ab12…/` */
export function prefixOf(name: string): string {
  const [id, token] = keyOfName(name).split('@')
  return `templates/${id}/${token}/`
}

/** `templates/oak-frame/Ab12…/` -> `oak-frame@Ab12…` */
function keyOf(objectPrefix: string): string {
  const [, id, token] = objectPrefix.split('/')
  return `${id}@${token}`
}

/** Whether the folder's files equal the imported ones, byte for byte. */
async function isWhole(record: TemplateRecord, folder: string): Promise<boolean> {
  const digest = new BundleDigest()
  try {
    for (const name of record.files) {
      const file = path.join(folder, name)
      digest.addFile(name, (await stat(file)).size)
      for await (const part of createReadStream(file)) digest.addBytes(part)
    }
  } catch {
    return false // missing or unreadable
  }
  return digest.end() === record.digest
}
