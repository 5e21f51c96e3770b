import { DiskFullError } from '../errors/disk-full-error.ts'
import { freeDiskBytes } from './free-disk.ts'

/**
 * Room of a disk for what is uploaded without a payment. It ends before the disk does: the rest is reserved
 * for the mockups of others, their kept answers and the database.
 */
export class UploadRoom {
  readonly #folder: string | null
  readonly #leastFreeBytes: number
  /** Bytes of uploads under way. What of them is on the disk already counts twice. */
  #promisedBytes = 0

  /** @param folder on the disk; null where uploads are stored elsewhere */
  constructor(folder: string | null, leastFreeBytes: number) {
    this.#folder = folder
    this.#leastFreeBytes = leastFreeBytes
  }

  /** Reserves room for at most so many bytes until the upload is over. @throws DiskFullError */
  async take(sizeBytes: number): Promise<Disposable> {
    if (this.#folder === null) return { [Symbol.dispose]: () => undefined }
    this.#promisedBytes += sizeBytes
    const release = () => void (this.#promisedBytes -= sizeBytes)
    try {
      const freeBytes = await freeDiskBytes(this.#folder)
      if (freeBytes - this.#promisedBytes < this.#leastFreeBytes)
        throw new DiskFullError(`${freeBytes} bytes are free, of which ${this.#leastFreeBytes} are reserved`)
    } catch (error) {
      release()
      throw error
    }
    return { [Symbol.dispose]: release }
  }
}
