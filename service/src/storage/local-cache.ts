import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { isPlainFile } from './plain-file.ts'

/** Resolution of the recorded last use: each update is a file system call. */
export const USE_NOTED_EVERY_MS = 5_000

/** Making an entry takes minutes at most; an older draft is left over from a dead process. */
const DRAFT_MAX_AGE_MS = 60 * 60_000

type Entry = { readonly sizeBytes: number; usedAtMs: number; notedAtMs: number; isNoted: boolean }

/**
 * A cache of named files, or folders of files, on the local disk. An entry is complete or absent and never
 * changes, so that several services may share the folder; its mtime is its last use. Beyond a size limit the
 * least recently used entries are evicted.
 */
export class LocalCache {
  readonly root: string
  readonly #maxBytes: number
  readonly #unusedMs: number
  /** The entries as last read from the disk. */
  readonly #entries = new Map<string, Entry>()

  /** @param options `unusedMs`: only entries unused for at least this long are evicted */
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

  /** Records the use of an entry in memory, for the next `noteUses`. False if it is unknown. */
  find(name: string): boolean {
    const entry = this.#entries.get(name)
    if (entry === undefined) return false
    this.#set(name, { ...entry, usedAtMs: Date.now(), isNoted: false })
    return true
  }

  /** Records the use of an entry on the disk, unless that was done recently. False if there is none. */
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
      this.#entries.delete(name) // removed by another process or a person
      return false
    }
  }

  /** Writes the uses recorded since the last call to the disk. */
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
   * Adds an entry: `make` writes into an empty folder and resolves with the path of the entry in it, or null
   * for none. Nothing of a failure remains. False if another process was first to make a folder of that name.
   *
   * @throws if anything but files and folders was made
   */
  async add(name: string, make: (draft: string) => Promise<string | null>): Promise<boolean> {
    await mkdir(this.root, { recursive: true, mode: 0o700 })
    const draft = await mkdtemp(path.join(this.root, '.draft-'))
    const taken = `${draft}.taken`
    try {
      const made = await make(draft)
      if (made === null) return true
      // Moved out of reach of the process that made it, which may be compromised, before it is checked.
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

  /** The names on the disk, which other processes may share. Removes drafts of dead processes. */
  async list(): Promise<string[]> {
    const names = await readdir(this.root).catch(() => [])
    const present = new Set(names)
    for (const name of this.#entries.keys()) if (!present.has(name)) this.#entries.delete(name)
    for (const name of names) {
      const status = await lstat(this.path(name)).catch(() => null)
      if (status === null) continue // evicted by another process
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

  /** Evicts entries that are not recently used nor `needed`. Resolves with their names. */
  async dropOthers(needed: (name: string) => boolean): Promise<string[]> {
    const dropped = [...this.#entries].filter(([name, entry]) => !needed(name) && this.#isUnused(entry))
    for (const [name] of dropped) await this.drop(name)
    return dropped.map(([name]) => name)
  }

  /** Evicts the least recently used entries beyond the size limit, except `spared`. */
  async dropBeyond(spared?: string): Promise<void> {
    let sizeBytes = this.#entries.values().reduce((sum, entry) => sum + entry.sizeBytes, 0)
    for (const [name, entry] of [...this.#entries].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)) {
      if (sizeBytes <= this.#maxBytes || !this.#isUnused(entry)) return
      if (name === spared) continue
      await this.drop(name)
      sizeBytes -= entry.sizeBytes
    }
  }

  /** Evicts an entry. A process that reads it has its own links. */
  async drop(name: string): Promise<void> {
    this.#entries.delete(name)
    await rm(this.path(name), { recursive: true, force: true })
  }

  /** Keeps entries in order of last use, even within a millisecond. */
  #set(name: string, entry: Entry): void {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #isUnused({ usedAtMs }: Entry): boolean {
    return Date.now() - usedAtMs >= this.#unusedMs
  }
}

/** Size of a file, or of all files in a folder. @throws if one of them fails `isFile` */
async function measure(entry: string, isFile: typeof isPlainFile = status => status.isFile()): Promise<number> {
  const status = await lstat(entry)
  if (isFile(status)) return status.size
  if (!status.isDirectory())
    throw new Error(`expected files and folders in a cache, but ${path.basename(entry)} is none`)
  let sizeBytes = 0
  for (const name of await readdir(entry)) sizeBytes += await measure(path.join(entry, name), isFile)
  return sizeBytes
}
