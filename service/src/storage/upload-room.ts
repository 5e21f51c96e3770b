import { DiskFullError } from '../errors/disk-full-error.ts'
import { freeDiskBytes } from './free-disk.ts'

/**
 * Disk space for unpaid uploads. It excludes a reserve, which is for mockups, their saved answers and the
 * database.
 */
export class UploadRoom {
  readonly #folder: string | null
  readonly #leastFreeBytes: number
  /** Bytes reserved for uploads in progress. What they have already written counts twice. */
  #promisedBytes = 0

  /** @param folder on the disk; null if uploads are stored elsewhere */
  constructor(folder: string | null, leastFreeBytes: number) {
    this.#folder = folder
    this.#leastFreeBytes = leastFreeBytes
  }

  /** Reserves space for at most this many bytes until the upload ends. @throws DiskFullError */
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
