import { Zip, ZipPassThrough } from 'fflate'

/** A zip of files, stored: pictures don't shrink. One file at a time is in memory. */
export async function zipBlobs(files: Iterable<readonly [name: string, file: Blob]>): Promise<Blob> {
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
    entry.push(new Uint8Array(await file.arrayBuffer()), true)
    settle()
  }
  zip.end()
  settle()
  return new Blob(parts, { type: 'application/zip' })
}
