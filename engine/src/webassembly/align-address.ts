/** The next address that a line of the processor's cache begins at. */
export function alignAddress(address: number): number {
  return Math.ceil(address / 64) * 64
}
