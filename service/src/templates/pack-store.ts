import { lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { type PackWidthPx, packBytesMax } from '@vitrine/engine/bundle'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import { isPlainFile } from '../storage/plain-file.ts'
import { packName } from './bundle-files.ts'
import type { PackRequest } from './bundle-report.ts'
import type { ImportQueue } from './import-queue.ts'
import type { TemplateRecord } from './template-record.ts'

/** Who requests a pack. */
export type PackAsker = {
  readonly accountId: string
  /** Called before the pack is made. An error that it throws is passed to the caller. */
  readonly beforeMaking: () => Promise<void>
}

/** Marks a pack that would be too large, so that it is not attempted again. */
export const noPack = new Uint8Array(0)

/**
 * Preview packs, stored as objects beside the template's files: made at import, or at first use for templates
 * imported before packs existed. The same bundle gives the same bytes.
 */
export class PackStore {
  readonly #storage: ObjectStorage
  readonly #queue: ImportQueue
  readonly #folder: string
  readonly #pack: (request: PackRequest) => Promise<void>
  readonly #making = new Map<string, Promise<void>>()

  /** @param folder for packs in progress */
  constructor(
    storage: ObjectStorage,
    queue: ImportQueue,
    folder: string,
    pack: (request: PackRequest) => Promise<void>,
  ) {
    this.#storage = storage
    this.#queue = queue
    this.#folder = path.resolve(folder)
    this.#pack = pack
  }

  /**
   * A template's pack, or null if it would be too large. `bundleFolder` provides the whole bundle.
   * @throws BundleTooCostlyError, BundleInspectionFailedError
   */
  async open(
    { objectPrefix }: TemplateRecord,
    widthPx: PackWidthPx,
    asker: PackAsker,
    bundleFolder: () => Promise<string>,
  ): Promise<OpenObject | null> {
    const key = objectPrefix + packName(widthPx)
    const found = await this.#storage.open(key)
    if (found !== null) return found.sizeBytes === 0 ? null : found
    let making = this.#making.get(key)
    if (making === undefined) {
      making = this.#make(objectPrefix, widthPx, asker, bundleFolder).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    await making
    const made = await this.#storage.open(key)
    return made === null || made.sizeBytes === 0 ? null : made
  }

  /** Stores the pack that a process wrote to a folder, or the mark that there is none. */
  async storeFrom(folder: string, objectPrefix: string, widthPx: PackWidthPx): Promise<void> {
    const pack = await readPlainFile(path.join(folder, packName(widthPx)), packBytesMax(widthPx))
    await this.#storage.put(objectPrefix + packName(widthPx), pack ?? noPack)
  }

  async #make(
    objectPrefix: string,
    widthPx: PackWidthPx,
    { accountId, beforeMaking }: PackAsker,
    bundleFolder: () => Promise<string>,
  ): Promise<void> {
    await beforeMaking()
    const from = await bundleFolder()
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const toFolder = await mkdtemp(path.join(this.#folder, 'import-pack-'))
    try {
      await this.#queue.inspect(accountId, () => this.#pack({ from, toFolder, widthPx, watermark: null }))
      await this.storeFrom(toFolder, objectPrefix, widthPx)
    } finally {
      await rm(toFolder, { recursive: true, force: true })
    }
  }
}

/**
 * Null if there is no such file.
 * @throws for a link, or more than `maxBytes`
 */
async function readPlainFile(file: string, maxBytes: number): Promise<Uint8Array | null> {
  const status = await lstat(file).catch(() => null)
  if (status === null) return null
  if (!isPlainFile(status) || status.size > maxBytes)
    throw new Error(`Expected a preview pack of at most ${maxBytes} bytes from the process that makes it.`)
  return readFile(file)
}
