import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { ContentName } from './content-name.ts'
import { releaseBytes } from './release-bytes.ts'

/** Bytes per write, which costs about 50 us. A hostile sender can make the service hold 16 times this. */
const GATHERED_BYTES = 512 * 1024

/** The buffer's initial size. */
const FIRST_BYTES = 128 * 1024

/** A complete file. */
export type FileContent = {
  readonly sizeBytes: number
  /** See `ContentName`. */
  readonly contentName: string
  /** Hexadecimal; null unless requested. */
  readonly sha256: string | null
}

/** A new private file that buffers chunks of any size into few large writes. It is complete after `end`. */
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

  /** @throws a system error, for example if the file exists */
  static async create(file: string, options: { readonly isHashed?: boolean } = {}): Promise<GatheredFile> {
    return new GatheredFile(await open(file, 'wx', 0o600), options.isHashed ?? false)
  }

  /** Bytes received so far. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Copies the next bytes. The caller may reuse them after return, or once the promise resolves. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#sizeBytes += bytes.length
    const end = this.#gatheredBytes + bytes.length
    if (end > GATHERED_BYTES) return this.#writeInParts(bytes)
    this.#gather(bytes)
    return end === GATHERED_BYTES ? this.#flush() : undefined
  }

  /** Writes what is left in the buffer. */
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

  /** Copies bytes into the buffer, which grows as needed. */
  #gather(bytes: Uint8Array): void {
    const end = this.#gatheredBytes + bytes.length
    if (end > this.#gathered.length) this.#grow(end)
    this.#gathered.set(bytes, this.#gatheredBytes)
    this.#gatheredBytes = end
  }

  /** Grows in two steps, so that small files and slow senders take little memory. */
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
