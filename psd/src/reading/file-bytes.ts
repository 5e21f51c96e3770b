/** Bytes of a file, in memory or read on demand. */
export type FileBytes = {
  readonly sizeBytes: number
  /** Up to `length` bytes: fewer at the end of the file. They are valid until the next call. */
  read(from: number, length: number): Uint8Array
}

/** Writes the bytes of a file from a position on into `target`, as many as it holds. */
type ReadInto = (target: Uint8Array, from: number) => void

export function bytesInMemory(bytes: Uint8Array): FileBytes {
  return { sizeBytes: bytes.byteLength, read: (from, length) => bytes.subarray(from, Math.max(from, from + length)) }
}

/** A part of a file that lies within it. */
export function partOf(file: FileBytes, start: number, sizeBytes: number): FileBytes {
  return {
    sizeBytes,
    read: (from, length) => file.read(start + from, Math.max(0, Math.min(length, sizeBytes - from))),
  }
}

/** A row of each channel of a layer is read in turn, so blocks of all of them are cached. */
const BLOCK_BYTES = 64 * 1024
const BLOCKS_KEPT = 256

/** A file that is read in blocks; the last ones used are cached, up to 16 MiB. */
export function bytesOnDisk(sizeBytes: number, readInto: ReadInto): FileBytes {
  const blocks = new Map<number, Uint8Array>()
  const blockAt = (index: number): Uint8Array => {
    const known = blocks.get(index)
    if (known) {
      blocks.delete(index)
      blocks.set(index, known)
      return known
    }
    const [oldest] = blocks.size < BLOCKS_KEPT ? [] : blocks
    if (oldest) blocks.delete(oldest[0])
    const block = oldest?.[1] ?? new Uint8Array(BLOCK_BYTES)
    const start = index * BLOCK_BYTES
    readInto(block.subarray(0, Math.min(BLOCK_BYTES, sizeBytes - start)), start)
    blocks.set(index, block)
    return block
  }
  return {
    sizeBytes,
    read(from, length) {
      const end = Math.min(sizeBytes, from + length)
      if (end <= from) return new Uint8Array(0)
      const first = Math.floor(from / BLOCK_BYTES)
      const last = Math.floor((end - 1) / BLOCK_BYTES)
      const inFirst = from - first * BLOCK_BYTES
      if (first === last) return blockAt(first).subarray(inFirst, inFirst + end - from)
      const joined = new Uint8Array(end - from)
      for (let at = from; at < end; ) {
        const index = Math.floor(at / BLOCK_BYTES)
        const within = at - index * BLOCK_BYTES
        const count = Math.min(BLOCK_BYTES - within, end - at)
        joined.set(blockAt(index).subarray(within, within + count), at - from)
        at += count
      }
      return joined
    },
  }
}
