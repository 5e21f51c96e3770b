/** Smaller pivots are replaced by this, which gives singular systems a finite solution. */
const LEAST_PIVOT = 1e-14

/** The solution of a square linear system, by elimination with pivots. Rows of `matrix` are not changed. */
export function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length
  const rows = matrix.map((row, i) => {
    const extended = new Float64Array(size + 1)
    extended.set(row.subarray(0, size))
    extended[size] = right[i] ?? 0
    return extended
  })
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let r = column + 1; r < size; r++) {
      if (Math.abs(rows[r]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = r
    }
    const [top, chosen] = [rows[column], rows[pivot]]
    if (!top || !chosen) continue
    rows[column] = chosen
    rows[pivot] = top
    if (Math.abs(chosen[column] ?? 0) < LEAST_PIVOT) chosen[column] = LEAST_PIVOT
    for (let r = column + 1; r < size; r++) {
      const row = rows[r]
      const factor = (row?.[column] ?? 0) / (chosen[column] ?? 1)
      if (row && factor !== 0) for (let j = column; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (chosen[j] ?? 0)
    }
  }
  const solution = new Float64Array(size)
  for (let r = size - 1; r >= 0; r--) {
    const row = rows[r]
    let sum = row?.[size] ?? 0
    for (let j = r + 1; j < size; j++) sum -= (row?.[j] ?? 0) * (solution[j] ?? 0)
    solution[r] = sum / (row?.[r] ?? 1)
  }
  return solution
}

/** A square matrix of zeros. */
export function zeroMatrix(size: number): Float64Array[] {
  return Array.from({ length: size }, () => new Float64Array(size))
}
