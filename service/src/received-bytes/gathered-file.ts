import { type FileHandle, open } from 'node:fs/promises'
import { releaseBytes } from './release-bytes.ts'

/** Bytes that are written at a time. Each write is a trip to another thread, which 64 KiB are too little for. */
const GATHERED_BYTES = 256 * 1024

/** A new file for this user alone that is written from pieces of any size, in few and large writes. Must be ended to be complete. */
export class GatheredFile implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #gathered = Buffer.allocUnsafeSlow(GATHERED_BYTES)
  #gatheredBytes = 0
  #sizeBytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** @throws the system's error, also when the file exists */
  static async create(file: string): Promise<GatheredFile> {
    return new GatheredFile(await open(file, 'wx', 0o600))
  }

  /** Bytes that it was given so far. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Takes the next bytes. They are copied, and no longer needed when this returns. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#sizeBytes += bytes.length
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + GATHERED_BYTES - this.#gatheredBytes)
      this.#gathered.set(part, this.#gatheredBytes)
      this.#gatheredBytes += part.length
      taken += part.length
      if (this.#gatheredBytes === GATHERED_BYTES) await this.#flush()
    }
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    if (this.#gatheredBytes > 0) await this.#flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
    releaseBytes(this.#gathered)
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(this.#gathered.subarray(0, this.#gatheredBytes))
    this.#gatheredBytes = 0
  }
}
