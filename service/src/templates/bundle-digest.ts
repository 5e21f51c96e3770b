import { createHash } from 'node:crypto'

/** The SHA-256 by which a bundle is known again: over the paths, sizes and bytes of its files, in order. */
export class BundleDigest {
  readonly #hash = createHash('sha256')

  /** Begins a file; its bytes follow. */
  addFile(path: string, sizeBytes: number): void {
    this.#hash.update(`${path.length} ${path} ${sizeBytes} `)
  }

  addBytes(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  /** The digest in hexadecimal digits. Nothing can be added afterwards. */
  end(): string {
    return this.#hash.digest('hex')
  }
}
