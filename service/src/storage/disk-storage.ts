import { randomBytes } from 'node:crypto'
import { closeSync, createReadStream, fsync, open as openWithCallback, writeFile } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './is-alive.ts'
import {
  assertObjectKey,
  assertObjectPrefix,
  type ByteRange,
  type ListedObject,
  type ObjectContent,
  type ObjectStorage,
  type OpenObject,
} from './object-storage.ts'

/** Customers' files are readable only by this service's user. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** Folder of unfinished writes, on the objects' file system. No key begins with a dot. */
const DRAFT_FOLDER = '.drafts'
const DRAFT_MAX_AGE_MS = 24 * 60 * 60_000

/** The start of a draft's name: its process, which a later one of the same number does not pass for. */
const ownDraft = `${process.pid}-${randomBytes(4).toString('hex')}-${os.hostname()}-`

// Uses descriptors, not handles of fs/promises: each stored answer closes two files, and waiting for a thread
// costs more than the close itself.
const openFile = promisify(openWithCallback)
const syncFile = promisify(fsync)
const writeTo = promisify(writeFile)

/** Stores objects as files in a folder. A crash during a write leaves only a draft, removed later. */
export class DiskStorage implements ObjectStorage {
  readonly #root: string

  /** @param root the folder; created at the first write if missing */
  constructor(root: string) {
    this.#root = path.resolve(root)
  }

  async put(key: string, content: ObjectContent): Promise<void> {
    const file = this.#fileOf(key)
    const draft = path.join(this.#root, DRAFT_FOLDER, `${ownDraft}${randomBytes(12).toString('hex')}`)
    try {
      const descriptor = await withFolderOf(draft, () => openFile(draft, 'wx', FILE_MODE))
      try {
        await writeAll(descriptor, content)
        await syncFile(descriptor)
      } finally {
        closeSync(descriptor) // synchronously: nothing is left to write
      }
      await withFolderOf(file, () => rename(draft, file))
      await syncFolder(path.dirname(file))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    const bytes = await readFile(this.#fileOf(key)).catch(nullWhereMissing)
    return bytes === null ? null : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  async open(key: string, range?: ByteRange): Promise<OpenObject | null> {
    const file = this.#fileOf(key)
    const status = await stat(file).catch(nullWhereMissing)
    if (status === null) return null
    return { sizeBytes: range === undefined ? status.size : range.end - range.start, content: partsOf(file, range) }
  }

  async delete(key: string): Promise<void> {
    const file = this.#fileOf(key)
    await rm(file, { force: true })
    for (let folder = path.dirname(file); folder !== this.#root; folder = path.dirname(folder)) {
      try {
        await rmdir(folder)
      } catch {
        return // not empty, or already removed
      }
    }
  }

  async list(prefix: string): Promise<ListedObject[]> {
    assertObjectPrefix(prefix)
    const found: ListedObject[] = []
    const entries = await readdir(path.join(this.#root, prefix), { recursive: true, withFileTypes: true }).catch(
      nullWhereMissing,
    )
    for (const entry of entries ?? []) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      const key = path.relative(this.#root, file).split(path.sep).join('/')
      if (key.startsWith('.')) continue
      const handle = await open(file).catch(nullWhereMissing)
      if (handle === null) continue // just deleted
      found.push({ key, sizeBytes: (await handle.stat()).size })
      await handle.close()
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** Removes drafts of dead processes of this host, and old ones: other processes may be writing. */
  async removeUnfinished(nowMs: number): Promise<void> {
    const drafts = path.join(this.#root, DRAFT_FOLDER)
    for (const name of (await readdir(drafts).catch(nullWhereMissing)) ?? []) {
      const draft = path.join(drafts, name)
      const status = await stat(draft).catch(nullWhereMissing)
      const isOld = status !== null && nowMs - status.mtimeMs > DRAFT_MAX_AGE_MS
      if (isOld || isOfDeadProcess(name)) await rm(draft, { force: true })
    }
  }

  #fileOf(key: string): string {
    assertObjectKey(key)
    return path.join(this.#root, key)
  }
}

/** Process numbers of other hosts, such as containers that share the folder, say nothing here. */
function isOfDeadProcess(draft: string): boolean {
  const [, pid, host] = /^(\d+)-[0-9a-f]{8}-(.+)-[0-9a-f]{24}$/.exec(draft) ?? []
  if (host !== os.hostname() || draft.startsWith(ownDraft)) return false
  return Number(pid) === process.pid || !isAlive(Number(pid))
}

/** Opens the file on first read: a caller may never read it, and Node exits on a leaked handle. */
async function* partsOf(file: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, range === undefined ? {} : { start: range.start, end: range.end - 1 })
}

async function writeAll(descriptor: number, content: ObjectContent): Promise<void> {
  if (content instanceof Uint8Array) return writeTo(descriptor, content)
  for await (const part of content) await writeTo(descriptor, part) // appends
}

/** Creates a file, and any missing folders: a concurrent delete may remove an empty one. */
async function withFolderOf<Made>(file: string, make: () => Promise<Made>): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await make()
    } catch (error) {
      if (attempt === 5 || !isMissing(error)) throw error
    }
    await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
  }
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = await openFile(folder, 'r').catch(nullWhereMissing)
  if (descriptor === null) return // deleted concurrently
  try {
    await syncFile(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function nullWhereMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}
