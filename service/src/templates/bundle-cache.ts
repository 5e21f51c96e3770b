import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomBase62 } from '../database/new-id.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { BundleDigest } from './bundle-digest.ts'
import { storedName } from './bundle-report.ts'
import { BUNDLE_DRAFT_MAX_AGE_MS, BUNDLE_UNUSED_MS, BUNDLE_USE_NOTED_EVERY_MS } from './limits.ts'
import type { TemplateBundle } from './template-bundle.ts'
import type { TemplateRecord } from './template-record.ts'

/** How often objects are read before they count as another bundle than the one that was imported. */
const COPY_ATTEMPTS = 2

/**
 * Copies of bundles on the local disk, where render processes can read them. A folder is complete or absent,
 * and never changes, so several services may share it. Its files are compared with the import's digest when
 * they are copied, and when a process uses them first.
 */
export class BundleCache {
  readonly #root: string
  readonly #storage: ObjectStorage
  readonly #bringing = new Map<string, Promise<TemplateBundle>>()
  /** Bundles that were whole at the last look: saves reading their files for every request. */
  readonly #present = new Map<string, TemplateBundle>()
  /** When the use of a folder was last noted on the disk. */
  readonly #notedAtMs = new Map<string, number>()
  /** Bytes of the folders, by name: they never change. */
  readonly #sizes = new Map<string, number>()
  readonly #maxBytes: number

  constructor(root: string, storage: ObjectStorage, maxBytes: number) {
    this.#root = path.resolve(root)
    this.#storage = storage
    this.#maxBytes = maxBytes
  }

  async folderOf(record: TemplateRecord): Promise<TemplateBundle> {
    const key = keyOf(record.objectPrefix)
    const present = this.#present.get(key)
    if (present !== undefined && (await this.#noteUse(present.folder))) return present
    const bundle = await this.#once(key, () => this.#bring(record, key))
    await this.#noteUse(bundle.folder)
    return bundle
  }

  /**
   * Drops the copies that no template needs any more, then the longest unused ones beyond the bound. What a
   * request may be using stays until it is over.
   *
   * @param findNamed those of the object prefixes that a template has
   * @returns the keys of those that no template needs
   */
  async trim(findNamed: (prefixes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<string[]> {
    const folders = await this.#listFolders()
    const named = await findNamed([...new Set(folders.map(({ key }) => prefixOf(key)))])
    const isOver = ({ name, usedAtMs }: CachedFolder) =>
      Date.now() - usedAtMs > (name.startsWith('.') ? BUNDLE_DRAFT_MAX_AGE_MS : BUNDLE_UNUSED_MS)
    let sizeBytes = folders.reduce((sum, folder) => sum + folder.sizeBytes, 0)
    const unnamed: string[] = []
    for (const folder of folders.filter(isOver).sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      const isNamed = named.has(prefixOf(folder.key))
      if (isNamed && sizeBytes <= this.#maxBytes) continue
      await this.#drop(folder)
      sizeBytes -= folder.sizeBytes
      if (!isNamed) unnamed.push(folder.key)
    }
    return unnamed
  }

  async #listFolders(): Promise<CachedFolder[]> {
    const names = await readdir(this.#root).catch(() => [])
    const folders = await Promise.all(
      names.map(async name => {
        const folder = path.join(this.#root, name)
        const status = await stat(folder).catch(() => null)
        if (status === null) return [] // another process dropped it
        const sizeBytes = this.#sizes.get(name) ?? (await measureFolder(folder))
        // A draft grows until it gets its name.
        if (!name.startsWith('.')) this.#sizes.set(name, sizeBytes)
        return [{ name, key: name.replace(/~.*$/, ''), usedAtMs: status.mtimeMs, sizeBytes }]
      }),
    )
    return folders.flat()
  }

  async #drop({ name, key }: CachedFolder): Promise<void> {
    const folder = path.join(this.#root, name)
    if (this.#present.get(key)?.folder === folder) this.#present.delete(key)
    this.#notedAtMs.delete(folder)
    this.#sizes.delete(name)
    await rm(folder, { recursive: true, force: true })
  }

  /** The folder's time is that of its last use, after a restart too. False where there is no folder. */
  async #noteUse(folder: string): Promise<boolean> {
    const now = Date.now()
    if (now - (this.#notedAtMs.get(folder) ?? 0) < BUNDLE_USE_NOTED_EVERY_MS) return true
    try {
      await utimes(folder, new Date(now), new Date(now))
    } catch {
      return false // removed by another process, or by hand
    }
    this.#notedAtMs.set(folder, now)
    return true
  }

  /** Makes another copy of what is not whole any more. False where it is whole. */
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
    const names = await readdir(this.#root).catch(() => [])
    for (const name of names.filter(name => name === key || name.startsWith(`${key}~`))) {
      await rm(path.join(this.#root, name), { recursive: true, force: true })
    }
    return key
  }

  /** Requests that need a bundle at the same time wait for one copy. */
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
    const folder = path.join(this.#root, key)
    if (await isWhole(record, folder)) return { key, folder, digest: record.digest }
    await rm(folder, { recursive: true, force: true })
    await this.#copy(record, folder)
    return { key, folder, digest: record.digest }
  }

  async #replace(record: TemplateRecord, before: TemplateBundle): Promise<TemplateBundle> {
    const { key } = before
    const present = this.#present.get(key)
    if (present !== undefined && present !== before) return present // another request was first
    // Another name: render processes hold links to the broken files under the old one.
    const folder = path.join(this.#root, `${key}~${randomBase62(8)}`)
    await this.#copy(record, folder)
    await rm(before.folder, { recursive: true, force: true })
    return { key, folder, digest: record.digest }
  }

  async #copy(record: TemplateRecord, folder: string): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 })
    for (let attempt = 1; ; attempt++) {
      const draft = await mkdtemp(path.join(this.#root, '.draft-'))
      try {
        if ((await this.#copyFiles(record, draft)) !== record.digest) {
          if (attempt < COPY_ATTEMPTS) continue
          throw new Error(`the objects of the template ${record.id} are not those that were imported`)
        }
        await rename(draft, folder).catch(async (error: unknown) => {
          if (!(await isWhole(record, folder))) throw error // another process was first
        })
        return
      } finally {
        await rm(draft, { recursive: true, force: true })
      }
    }
  }

  /** The digest of what was copied. */
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

/** A folder of the cache: of a bundle, or of one that is being copied. */
type CachedFolder = {
  readonly name: string
  readonly key: string
  readonly usedAtMs: number
  readonly sizeBytes: number
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry =>
        stat(path.join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0, // dropped meanwhile
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** `oak-frame@Ab12…` -> `templates/oak-frame/Ab12…/` */
export function prefixOf(key: string): string {
  const [id, token] = key.split('@')
  return `templates/${id}/${token}/`
}

/** `templates/oak-frame/Ab12…/` -> `oak-frame@Ab12…` */
function keyOf(objectPrefix: string): string {
  const [, id, token] = objectPrefix.split('/')
  return `${id}@${token}`
}

/** Whether the folder has the files that were imported, byte for byte. */
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
