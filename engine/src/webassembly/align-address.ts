/** The next address at the start of a cache line. */
export function alignAddress(address: number): number {
  return Math.ceil(address / 64) * 64
}
