import { Zip, ZipPassThrough } from 'fflate'

/** A file, or a function that loads it when it is needed. */
type ZippedFile = Blob | (() => Blob | Promise<Blob>)

/** A zip of files, stored: compression does not shrink pictures. Holds one file in memory at a time. */
export async function zipBlobs(files: Iterable<readonly [name: string, file: ZippedFile]>): Promise<Blob> {
  const parts: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let failure: Error | null = null
  const zip = new Zip((error, piece) => {
    failure ??= error
    pieces.push(new Uint8Array(piece))
  })
  const settle = () => {
    if (failure !== null) throw failure
    parts.push(new Blob(pieces))
    pieces = []
  }
  for (const [name, file] of files) {
    const entry = new ZipPassThrough(name)
    zip.add(entry)
    const blob = typeof file === 'function' ? await file() : file
    entry.push(new Uint8Array(await blob.arrayBuffer()), true)
    settle()
  }
  zip.end()
  settle()
  return new Blob(parts, { type: 'application/zip' })
}
