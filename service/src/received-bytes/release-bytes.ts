/**
 * Gives the memory of received bytes back at once: the piece is empty afterwards. Whoever calls it must be the last that has the piece.
 *
 * Every 64 KiB from a connection is a buffer of its own. Left to the collector they pile up outside its heap, which makes it mark that whole
 * heap again for every few dozen megabytes received: more than half of what receiving uploads cost. Freed here, the next piece takes
 * the same memory while it is still in the processor's cache.
 */
export function releaseBytes(piece: Uint8Array): void {
  const { buffer } = piece
  // A part of a larger buffer may have neighbors that somebody needs: Node cuts small ones from a common pool.
  if (buffer instanceof ArrayBuffer && piece.byteLength > 0 && buffer.byteLength === piece.byteLength)
    buffer.transfer(0)
}
