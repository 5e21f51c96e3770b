/**
 * Reverses a row's filter in place (W3C PNG third edition, section 9). `above`: the previous row, unfiltered;
 * null for the first. `step`: bytes per pixel, at least 1. False for an unknown filter.
 */
export function undoFilter(filter: number, row: Uint8Array, above: Uint8Array | null, step: number): boolean {
  switch (filter) {
    case 0:
      return true
    case 1:
      for (let i = step; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - step] ?? 0)
      return true
    case 2:
      if (above !== null) for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0)
      return true
    case 3:
      for (let i = 0; i < row.length; i++) {
        const left = i < step ? 0 : (row[i - step] ?? 0)
        row[i] = (row[i] ?? 0) + ((left + (above?.[i] ?? 0)) >> 1)
      }
      return true
    case 4:
      for (let i = 0; i < row.length; i++) {
        const left = i < step ? 0 : (row[i - step] ?? 0)
        const upLeft = i < step ? 0 : (above?.[i - step] ?? 0)
        row[i] = (row[i] ?? 0) + paeth(left, above?.[i] ?? 0, upLeft)
      }
      return true
    default:
      return false
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft)
  const toUp = Math.abs(left - upLeft)
  const toUpLeft = Math.abs(left + up - 2 * upLeft)
  return toLeft <= toUp && toLeft <= toUpLeft ? left : toUp <= toUpLeft ? up : upLeft
}
