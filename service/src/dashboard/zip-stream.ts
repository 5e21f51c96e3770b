import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'

/** A zip of a folder's files, uncompressed, since pictures don't shrink. Buffers only one chunk. */
export function zipStream(folder: string, names: readonly string[]): Readable {
  return Readable.from(zipPieces(folder, names))
}

async function* zipPieces(folder: string, names: readonly string[]): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error
    made.push(piece)
  })
  for (const name of names) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    for await (const piece of createReadStream(path.join(folder, name))) {
      file.push(piece)
      yield* made.splice(0)
    }
    file.push(new Uint8Array(0), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
}
