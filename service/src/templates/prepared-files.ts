import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { freeDiskBytes } from '../storage/free-disk.ts'
import { isPlainFile } from '../storage/plain-file.ts'
import { prefixOf } from './bundle-cache.ts'
import { PREPARED_FILE } from './bundle-report.ts'
import { findEngineDigest } from './engine-digest.ts'
import { prepareBundle } from './inspect-bundle.ts'
import { BUNDLE_DRAFT_MAX_AGE_MS, PREPARED_USED_ONCE_MAX, PREPARED_WANTED_MAX } from './limits.ts'
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

type Kept = { readonly sizeBytes: number; usedAtMs: number; isNoted: boolean }

type Wanted = { readonly bundle: TemplateBundle; readonly widthPx: number }

/**
 * Prepared templates on the local disk, so that a new process has them in tens of milliseconds.
 *
 * Each is made by a process that reads its bundle and never sees artwork: what a render process hands over
 * would outlive it, and a hostile picture may have taken it over. A file is complete or absent and never
 * changes; its reader compares its digest. The longest unused are dropped beyond the bound.
 */
export class PreparedFiles implements PreparedSource {
  readonly #root: string
  readonly #maxBytes: number
  readonly #leastFreeBytes: number
  readonly #background: BackgroundWork | undefined
  readonly #prepare: typeof prepareBundle
  readonly #engineDigest: string
  readonly #files = new Map<string, Kept>()
  /** Names of what one mockup has used. */
  readonly #usedOnce = new Set<string>()
  readonly #wanted = new Map<string, Wanted>()
  readonly #closing = new AbortController()

  private constructor(options: PreparedFilesOptions, engineDigest: string) {
    this.#root = path.resolve(options.root)
    this.#maxBytes = options.maxBytes
    this.#leastFreeBytes = options.leastFreeBytes
    this.#background = options.background
    this.#prepare = options.prepare ?? prepareBundle
    this.#engineDigest = engineDigest
  }

  /** Finds the files that earlier processes made, as many as the bound allows. */
  static async open(options: PreparedFilesOptions): Promise<PreparedFiles> {
    const files = new PreparedFiles(options, await findEngineDigest())
    await mkdir(files.#root, { recursive: true, mode: 0o700 })
    await files.#list()
    await files.#dropBeyond()
    return files
  }

  find(bundle: TemplateBundle, widthPx: number): PreparedFile | undefined {
    const name = this.#nameOf(bundle, widthPx)
    const kept = this.#files.get(name)
    if (kept === undefined) return undefined
    kept.usedAtMs = Date.now()
    kept.isNoted = false
    return { name, file: path.join(this.#root, name) }
  }

  /**
   * Has `makeNext` make what is used a second time: a template that is tried once costs no more than that.
   * What exceeds the bound of these is wanted again when it is used.
   */
  noteUse(bundle: TemplateBundle, widthPx: number, from: PreparedFrom): void {
    if (this.#maxBytes === 0 || bundle.digest === undefined || from === 'file') return
    const name = this.#nameOf(bundle, widthPx)
    const isPresent = this.#files.has(name)
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
    if ((await freeDiskBytes(this.#root)) < this.#leastFreeBytes) return
    const draft = await mkdtemp(path.join(this.#root, '.draft-'))
    try {
      const request = { from: bundle.folder, toFolder: draft, widthPx, name }
      // Where files of the bundle were damaged since it was copied, pictures would stay wrong.
      if ((await this.#prepare(request, this.#closing.signal, this.#background)) !== bundle.digest) return
      await this.#keep(path.join(draft, PREPARED_FILE), name)
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    await this.#dropBeyond()
  }

  /**
   * Drops the files of templates that are gone, and the longest unused ones beyond the bound.
   *
   * @param findNamed those of the object prefixes that a template has
   */
  async trim(findNamed: (prefixes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    await this.#noteUse()
    await this.#list()
    const prefixOfFile = (name: string): string => prefixOf(name.replace(/~.*$/, ''))
    const names = [...this.#files.keys()]
    const named = await findNamed([...new Set(names.map(prefixOfFile))])
    for (const name of names) if (!named.has(prefixOfFile(name))) await this.#drop(name)
    await this.#dropBeyond()
  }

  /** Ends what is being made, and notes the last use of each file. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service stops.'))
    await this.#noteUse()
  }

  /** The template's version, the width, and a digest of the bundle and of what prepares it. */
  #nameOf({ key, digest }: TemplateBundle, widthPx: number): string {
    const versions = createHash('sha256').update(`${digest} ${this.#engineDigest}`).digest('hex')
    return `${key}~${widthPx}~${versions.slice(0, 32)}`
  }

  async #keep(draft: string, name: string): Promise<void> {
    const file = path.join(this.#root, name)
    await rename(draft, file)
    // A process that was taken over may have put something else there.
    const status = await lstat(file)
    if (!isPlainFile(status)) {
      await rm(file, { recursive: true, force: true })
      throw new Error('preparing a template left something else than a file')
    }
    this.#files.set(name, { sizeBytes: status.size, usedAtMs: Date.now(), isNoted: false })
  }

  /** The time of a file is that of its last use, after a restart too. */
  async #noteUse(): Promise<void> {
    for (const [name, kept] of this.#files) {
      if (kept.isNoted) continue
      kept.isNoted = true
      const usedAt = new Date(kept.usedAtMs)
      await utimes(path.join(this.#root, name), usedAt, usedAt).catch(() => this.#files.delete(name))
    }
  }

  /** Other processes may share the folder: it says what there is. */
  async #list(): Promise<void> {
    const names = await readdir(this.#root)
    const present = new Set(names)
    for (const name of this.#files.keys()) if (!present.has(name)) this.#files.delete(name)
    for (const name of names) {
      if (this.#files.has(name)) continue
      const status = await lstat(path.join(this.#root, name)).catch(() => null)
      if (status === null) continue // dropped by another process
      if (!name.startsWith('.'))
        this.#files.set(name, { sizeBytes: status.size, usedAtMs: status.mtimeMs, isNoted: true })
      else if (Date.now() - status.mtimeMs > BUNDLE_DRAFT_MAX_AGE_MS) await this.#drop(name)
    }
  }

  async #dropBeyond(): Promise<void> {
    let sizeBytes = this.#files.values().reduce((sum, kept) => sum + kept.sizeBytes, 0)
    for (const [name, kept] of [...this.#files].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)) {
      if (sizeBytes <= this.#maxBytes) return
      await this.#drop(name)
      sizeBytes -= kept.sizeBytes
    }
  }

  /** A render process that reads the file has a link of its own. */
  async #drop(name: string): Promise<void> {
    this.#files.delete(name)
    await rm(path.join(this.#root, name), { recursive: true, force: true })
  }
}
