import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { freeDiskBytes } from '../storage/free-disk.ts'
import { LocalCache } from '../storage/local-cache.ts'
import { prefixOf } from './bundle-cache.ts'
import { PREPARED_FILE } from './bundle-files.ts'
import { findEngineDigest } from './engine-digest.ts'
import { prepareBundle } from './inspect-bundle.ts'
import { PREPARED_USED_ONCE_MAX, PREPARED_WANTED_MAX } from './limits.ts'
import type { PreparedFile, PreparedFrom, PreparedSource, TemplateBundle } from './template-bundle.ts'

export type PreparedFilesOptions = {
  /** Folder of the files; may be deleted whenever nothing is running. */
  readonly root: string
  /** Total size limit of the files; 0 stores none. */
  readonly maxBytes: number
  /** Free disk space, in bytes, below which no file is made. */
  readonly leastFreeBytes: number
  /** Mockups that have priority over making files. */
  readonly background?: BackgroundWork | undefined
  /** Prepares a template into a file, and resolves with its bundle's digest. */
  readonly prepare?: typeof prepareBundle
}

type Wanted = { readonly bundle: TemplateBundle; readonly widthPx: number }

/**
 * Prepared templates on the local disk, which a new process can load in tens of milliseconds.
 *
 * Each is made by a process that reads its bundle and never sees artwork: a render process may be compromised
 * by a hostile picture, and its output would outlive it. Readers verify the file's digest.
 */
export class PreparedFiles implements PreparedSource {
  readonly #cache: LocalCache
  readonly #maxBytes: number
  readonly #leastFreeBytes: number
  readonly #background: BackgroundWork | undefined
  readonly #prepare: typeof prepareBundle
  readonly #engineDigest: string
  /** Names of templates that one mockup has used. */
  readonly #usedOnce = new Set<string>()
  readonly #wanted = new Map<string, Wanted>()
  readonly #closing = new AbortController()

  private constructor(options: PreparedFilesOptions, engineDigest: string) {
    this.#cache = new LocalCache(options.root, options)
    this.#maxBytes = options.maxBytes
    this.#leastFreeBytes = options.leastFreeBytes
    this.#background = options.background
    this.#prepare = options.prepare ?? prepareBundle
    this.#engineDigest = engineDigest
  }

  /** Opens the cache with the files of earlier processes, as many as the limit allows. */
  static async open(options: PreparedFilesOptions): Promise<PreparedFiles> {
    const files = new PreparedFiles(options, await findEngineDigest())
    await mkdir(files.#cache.root, { recursive: true, mode: 0o700 })
    await files.#cache.list()
    await files.#cache.dropBeyond()
    return files
  }

  find(bundle: TemplateBundle, widthPx: number): PreparedFile | undefined {
    const name = this.#nameOf(bundle, widthPx)
    return this.#cache.find(name) ? { name, file: this.#cache.path(name) } : undefined
  }

  /**
   * At the second use of a template, queues it for `makeNext`, so that a template tried only once costs
   * nothing more. One that exceeds the queue's limit is queued again at its next use.
   */
  noteUse(bundle: TemplateBundle, widthPx: number, from: PreparedFrom): void {
    if (this.#maxBytes === 0 || bundle.digest === undefined || from === 'file') return
    const name = this.#nameOf(bundle, widthPx)
    const isPresent = this.#cache.has(name)
    if (isPresent && from === 'memory') return
    // A file that is present but was not used must be damaged.
    if (isPresent || this.#usedOnce.delete(name)) {
      if (this.#wanted.size < PREPARED_WANTED_MAX) this.#wanted.set(name, { bundle, widthPx })
      return
    }
    this.#usedOnce.add(name)
    const [longest] = this.#usedOnce
    if (longest !== undefined && this.#usedOnce.size > PREPARED_USED_ONCE_MAX) this.#usedOnce.delete(longest)
  }

  /**
   * Makes one queued file. Only one at a time, so that the disk is not filled and emptied repeatedly when the
   * templates in use exceed the limit.
   * @throws any error of preparing; the file is queued again at its next use
   */
  async makeNext(): Promise<void> {
    const [next] = this.#wanted
    if (next === undefined || this.#closing.signal.aborted) return
    const [name, { bundle, widthPx }] = next
    this.#wanted.delete(name)
    if ((await freeDiskBytes(this.#cache.root)) < this.#leastFreeBytes) return
    try {
      await this.#cache.add(name, async draft => {
        const request = { from: bundle.folder, toFolder: draft, widthPx, name }
        // If the copied bundle has been damaged, the prepared template would stay wrong.
        const digest = await this.#prepare(request, this.#closing.signal, this.#background)
        return digest === bundle.digest ? path.join(draft, PREPARED_FILE) : null
      })
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error
    }
    await this.#cache.dropBeyond()
  }

  /**
   * Evicts the files of removed templates, then the least recently used ones beyond the limit.
   *
   * @param findNamed filters object prefixes, leaving those that a template has
   */
  async trim(findNamed: (prefixes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    await this.#cache.noteUses()
    const names = await this.#cache.list()
    const named = await findNamed([...new Set(names.map(prefixOf))])
    await this.#cache.dropOthers(name => named.has(prefixOf(name)))
    await this.#cache.dropBeyond()
  }

  /** Cancels the file in progress, and writes the last use of each file to the disk. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service stops.'))
    await this.#cache.noteUses()
  }

  /** The template's version, the width, and a digest of the bundle and of what prepares it. */
  #nameOf({ key, digest }: TemplateBundle, widthPx: number): string {
    const versions = createHash('sha256').update(`${digest} ${this.#engineDigest}`).digest('hex')
    return `${key}~${widthPx}~${versions.slice(0, 32)}`
  }
}
