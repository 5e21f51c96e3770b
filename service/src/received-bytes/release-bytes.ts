/**
 * Frees the memory of received bytes owned by the caller; the chunk is empty afterwards. The garbage
 * collector would need a full mark for every few dozen megabytes received.
 */
export function releaseBytes(piece: Uint8Array): void {
  const { buffer } = piece
  // Node allocates small chunks from a shared buffer.
  if (buffer instanceof ArrayBuffer && piece.byteLength > 0 && buffer.byteLength === piece.byteLength)
    buffer.transfer(0)
}
