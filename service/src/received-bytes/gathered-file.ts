import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { ContentName } from './content-name.ts'
import { releaseBytes } from './release-bytes.ts'

/** Bytes that are written at a time. Each write is a trip to another thread and back, some 50 us; a hostile sender can make us hold so much for each of sixteen frames. */
const GATHERED_BYTES = 512 * 1024

/** Room that is taken at first. */
const FIRST_BYTES = 128 * 1024

/** What a file became. */
export type FileContent = {
  readonly sizeBytes: number
  /** See `ContentName`. */
  readonly contentName: string
  /** As hexadecimal digits, where it was asked for. */
  readonly sha256: string | null
}

/** A new file for this user alone that is written from pieces of any size, in few and large writes. Must be ended to be complete. */
export class GatheredFile implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #name = new ContentName()
  readonly #hash: Hash | null
  #gathered = Buffer.alloc(0)
  #gatheredBytes = 0
  #sizeBytes = 0

  private constructor(handle: FileHandle, isHashed: boolean) {
    this.#handle = handle
    this.#hash = isHashed ? createHash('sha256') : null
  }

  /** @throws the system's error, also when the file exists */
  static async create(file: string, options: { readonly isHashed?: boolean } = {}): Promise<GatheredFile> {
    return new GatheredFile(await open(file, 'wx', 0o600), options.isHashed ?? false)
  }

  /** Bytes that it was given so far. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Takes the next bytes. They are copied, and no longer needed when this returns, or its promise resolves where it returns one. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#sizeBytes += bytes.length
    const end = this.#gatheredBytes + bytes.length
    if (end > GATHERED_BYTES) return this.#writeInParts(bytes)
    this.#gather(bytes)
    return end === GATHERED_BYTES ? this.#flush() : undefined
  }

  /** Writes what is left. */
  async end(): Promise<FileContent> {
    if (this.#gatheredBytes > 0) await this.#flush()
    return {
      sizeBytes: this.#sizeBytes,
      contentName: this.#name.end(),
      sha256: this.#hash?.digest('hex') ?? null,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
    releaseBytes(this.#gathered)
  }

  async #writeInParts(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + GATHERED_BYTES - this.#gatheredBytes)
      this.#gather(part)
      taken += part.length
      if (this.#gatheredBytes === GATHERED_BYTES) await this.#flush()
    }
  }

  /** Copies bytes for which there is room, or will be. */
  #gather(bytes: Uint8Array): void {
    const end = this.#gatheredBytes + bytes.length
    if (end > this.#gathered.length) this.#grow(end)
    this.#gathered.set(bytes, this.#gatheredBytes)
    this.#gatheredBytes = end
  }

  /** Small files, and the first bytes of those whose sender is slow, take little memory. */
  #grow(neededBytes: number): void {
    const sizeBytes = neededBytes <= FIRST_BYTES ? FIRST_BYTES : GATHERED_BYTES
    const larger = Buffer.allocUnsafeSlow(sizeBytes)
    larger.set(this.#gathered.subarray(0, this.#gatheredBytes))
    releaseBytes(this.#gathered)
    this.#gathered = larger
  }

  async #flush(): Promise<void> {
    const gathered = this.#gathered.subarray(0, this.#gatheredBytes)
    this.#name.update(gathered)
    this.#hash?.update(gathered)
    for (let written = 0; written < gathered.length; ) {
      const { bytesWritten } = await this.#handle.write(gathered, written)
      written += bytesWritten
    }
    this.#gatheredBytes = 0
  }
}
