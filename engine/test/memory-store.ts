import type { BundleFiles } from '../src/template/bundle-files.ts'
import type { RewritableStore } from '../src/template/write-pictures.ts'

/** A bundle in memory, as it is written and the engine reads it. */
export class MemoryStore implements RewritableStore, BundleFiles {
  readonly files = new Map<string, Uint8Array>()

  readonly write = async (name: string, bytes: Uint8Array): Promise<void> => {
    this.files.set(name, bytes)
  }

  readonly read = async (name: string): Promise<Uint8Array> => {
    const bytes = this.files.get(name)
    if (!bytes) throw new Error(`The bundle has no file ${name}.`)
    return bytes
  }

  readonly remove = async (name: string): Promise<void> => {
    this.files.delete(name)
  }

  async list() {
    return [...this.files].map(([path, bytes]) => ({ path, sizeBytes: bytes.byteLength }))
  }
}
