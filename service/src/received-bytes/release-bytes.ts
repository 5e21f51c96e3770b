/**
 * Frees the memory of received bytes, which the caller must own; the piece is empty afterwards. Left to the
 * garbage collector, they would trigger a full mark for every few dozen megabytes received.
 */
export function releaseBytes(piece: Uint8Array): void {
  const { buffer } = piece
  // Node cuts small pieces from a shared buffer.
  if (buffer instanceof ArrayBuffer && piece.byteLength > 0 && buffer.byteLength === piece.byteLength)
    buffer.transfer(0)
}
