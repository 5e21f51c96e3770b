import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { isPlainFile } from './plain-file.ts'

/** How exactly the last use is known: each note is a call of the file system. */
export const USE_NOTED_EVERY_MS = 5_000

/** What is made takes minutes at most; an older draft is of a process that died. */
const DRAFT_MAX_AGE_MS = 60 * 60_000

type Entry = { readonly sizeBytes: number; usedAtMs: number; notedAtMs: number; isNoted: boolean }

/**
 * Files, or folders of files, by their names on the local disk: what can be made again. An entry is complete
 * or absent and never changes, so that several services may share the folder; its time is that of its last
 * use. The longest unused ones are dropped beyond a bound.
 */
export class LocalCache {
  readonly root: string
  readonly #maxBytes: number
  readonly #unusedMs: number
  /** As the disk had them at the last look. */
  readonly #entries = new Map<string, Entry>()

  /** @param options `unusedMs`: only what was not used for so long is dropped */
  constructor(root: string, { maxBytes, unusedMs = 0 }: { readonly maxBytes: number; readonly unusedMs?: number }) {
    this.root = path.resolve(root)
    this.#maxBytes = maxBytes
    this.#unusedMs = unusedMs
  }

  path(name: string): string {
    return path.join(this.root, name)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Notes the use of an entry that was there at the last look; on the disk with the next `noteUses`. */
  find(name: string): boolean {
    const entry = this.#entries.get(name)
    if (entry === undefined) return false
    this.#set(name, { ...entry, usedAtMs: Date.now(), isNoted: false })
    return true
  }

  /** Notes the use of an entry on the disk. False where there is none, or no longer. */
  async use(name: string): Promise<boolean> {
    const now = Date.now()
    const entry = this.#entries.get(name)
    if (entry !== undefined && now - entry.notedAtMs < USE_NOTED_EVERY_MS) {
      this.#set(name, { ...entry, usedAtMs: now })
      return true
    }
    try {
      await utimes(this.path(name), new Date(now), new Date(now))
      const sizeBytes = entry?.sizeBytes ?? (await measure(this.path(name)))
      this.#set(name, { sizeBytes, usedAtMs: now, notedAtMs: now, isNoted: true })
      return true
    } catch {
      this.#entries.delete(name) // removed by another process, or by a person
      return false
    }
  }

  /** Notes on the disk what was found since. */
  async noteUses(): Promise<void> {
    for (const [name, entry] of this.#entries) {
      if (entry.isNoted) continue
      entry.isNoted = true
      entry.notedAtMs = entry.usedAtMs
      const usedAt = new Date(entry.usedAtMs)
      await utimes(this.path(name), usedAt, usedAt).catch(() => this.#entries.delete(name))
    }
  }

  /**
   * Makes an entry: `make` writes into an empty folder, and resolves with what of it is the entry, or null
   * for none. Nothing stays of what fails. False where another process was first with a folder of that name.
   *
   * @throws where anything but files and folders was made
   */
  async add(name: string, make: (draft: string) => Promise<string | null>): Promise<boolean> {
    await mkdir(this.root, { recursive: true, mode: 0o700 })
    const draft = await mkdtemp(path.join(this.root, '.draft-'))
    const taken = `${draft}.taken`
    try {
      const made = await make(draft)
      if (made === null) return true
      // Out of the reach of the process that made it, which may have been taken over; then it is looked at.
      await rename(made, taken)
      const sizeBytes = await measure(taken, isPlainFile)
      const isFirst = await rename(taken, this.path(name)).then(
        () => true,
        async (error: unknown) => {
          if ((await readdir(this.path(name)).catch(() => [])).length === 0) throw error
          return false
        },
      )
      const now = Date.now()
      this.#set(name, { sizeBytes, usedAtMs: now, notedAtMs: now, isNoted: true })
      return isFirst
    } finally {
      for (const rest of [draft, taken]) await rm(rest, { recursive: true, force: true })
    }
  }

  /** The names on the disk: other processes may share it. Drops what dead ones left half made. */
  async list(): Promise<string[]> {
    const names = await readdir(this.root).catch(() => [])
    const present = new Set(names)
    for (const name of this.#entries.keys()) if (!present.has(name)) this.#entries.delete(name)
    for (const name of names) {
      const status = await lstat(this.path(name)).catch(() => null)
      if (status === null) continue // dropped by another process
      const entry = this.#entries.get(name)
      if (name.startsWith('.')) {
        if (Date.now() - status.mtimeMs > DRAFT_MAX_AGE_MS) await this.drop(name)
      } else if (entry !== undefined) entry.usedAtMs = Math.max(entry.usedAtMs, status.mtimeMs)
      else {
        const sizeBytes = await measure(this.path(name)).catch(() => 0)
        this.#entries.set(name, { sizeBytes, usedAtMs: status.mtimeMs, notedAtMs: status.mtimeMs, isNoted: true })
      }
    }
    return [...this.#entries.keys()]
  }

  /** Drops what is unused and not among `needed`. Resolves with its names. */
  async dropOthers(needed: (name: string) => boolean): Promise<string[]> {
    const dropped = [...this.#entries].filter(([name, entry]) => !needed(name) && this.#isUnused(entry))
    for (const [name] of dropped) await this.drop(name)
    return dropped.map(([name]) => name)
  }

  /** Drops the longest unused entries beyond the bound; `spared` stays. */
  async dropBeyond(spared?: string): Promise<void> {
    let sizeBytes = this.#entries.values().reduce((sum, entry) => sum + entry.sizeBytes, 0)
    for (const [name, entry] of [...this.#entries].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)) {
      if (sizeBytes <= this.#maxBytes || !this.#isUnused(entry)) return
      if (name === spared) continue
      await this.drop(name)
      sizeBytes -= entry.sizeBytes
    }
  }

  /** A process that reads it has links of its own. */
  async drop(name: string): Promise<void> {
    this.#entries.delete(name)
    await rm(this.path(name), { recursive: true, force: true })
  }

  /** The latest use comes last, also within a millisecond. */
  #set(name: string, entry: Entry): void {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #isUnused({ usedAtMs }: Entry): boolean {
    return Date.now() - usedAtMs >= this.#unusedMs
  }
}

/** Bytes of a file, or of all files of a folder. @throws where one of them is not `isFile` */
async function measure(entry: string, isFile: typeof isPlainFile = status => status.isFile()): Promise<number> {
  const status = await lstat(entry)
  if (isFile(status)) return status.size
  if (!status.isDirectory())
    throw new Error(`expected files and folders in a cache, but ${path.basename(entry)} is none`)
  let sizeBytes = 0
  for (const name of await readdir(entry)) sizeBytes += await measure(path.join(entry, name), isFile)
  return sizeBytes
}
