import { createHash } from 'node:crypto'

/** The SHA-256 that identifies a bundle: over the paths, sizes and bytes of its files, in order. */
export class BundleDigest {
  readonly #hash = createHash('sha256')

  /** Starts a file; its bytes follow. */
  addFile(path: string, sizeBytes: number): void {
    this.#hash.update(`${path.length} ${path} ${sizeBytes} `)
  }

  addBytes(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  /** The digest in hexadecimal. Nothing can be added afterwards. */
  end(): string {
    return this.#hash.digest('hex')
  }
}
