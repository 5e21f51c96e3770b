import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { freeDiskBytes } from '../storage/free-disk.ts'
import { LocalCache } from '../storage/local-cache.ts'
import { prefixOf } from './bundle-cache.ts'
import { PREPARED_FILE } from './bundle-report.ts'
import { findEngineDigest } from './engine-digest.ts'
import { prepareBundle } from './inspect-bundle.ts'
import { PREPARED_USED_ONCE_MAX, PREPARED_WANTED_MAX } from './limits.ts'
import type { PreparedFile, PreparedFrom, PreparedSource, TemplateBundle } from './template-bundle.ts'

export type PreparedFilesOptions = {
  /** Folder for the files; can be removed at any time when nothing runs. */
  readonly root: string
  /** Bytes of all files at most; 0 keeps none. */
  readonly maxBytes: number
  /** Free bytes of the disk below which no file is made. */
  readonly leastFreeBytes: number
  /** Making a file gives way to its mockups. */
  readonly background?: BackgroundWork | undefined
  /** Prepares a template into a file, and resolves with the digest of its bundle. */
  readonly prepare?: typeof prepareBundle
}

type Wanted = { readonly bundle: TemplateBundle; readonly widthPx: number }

/**
 * Prepared templates on the local disk, so that a new process has them in tens of milliseconds.
 *
 * Each is made by a process that reads its bundle and never sees artwork: what a render process hands over
 * would outlive it, and a hostile picture may have taken it over. The reader of a file compares its digest.
 */
export class PreparedFiles implements PreparedSource {
  readonly #cache: LocalCache
  readonly #maxBytes: number
  readonly #leastFreeBytes: number
  readonly #background: BackgroundWork | undefined
  readonly #prepare: typeof prepareBundle
  readonly #engineDigest: string
  /** Names of what one mockup has used. */
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

  /** Finds the files that earlier processes made, as many as the bound allows. */
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
   * Has `makeNext` make what is used a second time: a template that is tried once costs no more than that.
   * What exceeds the bound of these is wanted again when it is used.
   */
  noteUse(bundle: TemplateBundle, widthPx: number, from: PreparedFrom): void {
    if (this.#maxBytes === 0 || bundle.digest === undefined || from === 'file') return
    const name = this.#nameOf(bundle, widthPx)
    const isPresent = this.#cache.has(name)
    if (isPresent && from === 'memory') return
    // One that is present and was not read is damaged.
    if (isPresent || this.#usedOnce.delete(name)) {
      if (this.#wanted.size < PREPARED_WANTED_MAX) this.#wanted.set(name, { bundle, widthPx })
      return
    }
    this.#usedOnce.add(name)
    const [longest] = this.#usedOnce
    if (longest !== undefined && this.#usedOnce.size > PREPARED_USED_ONCE_MAX) this.#usedOnce.delete(longest)
  }

  /**
   * Makes one file that is wanted: one at a time, so that a disk is not filled and emptied all the time where
   * templates in use exceed the bound.
   * @throws what preparing throws; it is wanted again with its next use
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
        // Where files of the bundle were damaged since it was copied, pictures would stay wrong.
        const digest = await this.#prepare(request, this.#closing.signal, this.#background)
        return digest === bundle.digest ? path.join(draft, PREPARED_FILE) : null
      })
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error
    }
    await this.#cache.dropBeyond()
  }

  /**
   * Drops the files of templates that are gone, and the longest unused ones beyond the bound.
   *
   * @param findNamed those of the object prefixes that a template has
   */
  async trim(findNamed: (prefixes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    await this.#cache.noteUses()
    const names = await this.#cache.list()
    const named = await findNamed([...new Set(names.map(prefixOf))])
    await this.#cache.dropOthers(name => named.has(prefixOf(name)))
    await this.#cache.dropBeyond()
  }

  /** Ends what is being made, and notes the last use of each file. */
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
