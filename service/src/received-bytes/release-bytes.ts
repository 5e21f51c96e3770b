/**
 * Frees the memory of received bytes at once; the piece is empty afterwards. The caller must own it.
 *
 * Every 64 KiB from a connection is a buffer of its own, outside the garbage collector's heap. Left to the
 * collector, they would trigger a full mark for every few dozen megabytes received.
 */
export function releaseBytes(piece: Uint8Array): void {
  const { buffer } = piece
  // Not a part of a larger buffer: Node cuts small ones from a shared pool.
  if (buffer instanceof ArrayBuffer && piece.byteLength > 0 && buffer.byteLength === piece.byteLength)
    buffer.transfer(0)
}
