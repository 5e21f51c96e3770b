import type { BundleFiles } from '@vitrine/engine'

/** The files of a bundle that exists only on this page. */
export function blobFiles(files: ReadonlyMap<string, Blob>): BundleFiles {
  return {
    async list() {
      return [...files].map(([path, { size }]) => ({ path, sizeBytes: size }))
    },
    async read(path) {
      const file = files.get(path)
      if (file === undefined) throw new Error(`The draft has no file ${path}.`)
      return new Uint8Array(await file.arrayBuffer())
    },
  }
}
