import { solveLinear, zeroMatrix } from '../numerics/solve-linear.ts'

// Irradiance on a convex body has few harmonics (R. Ramamoorthi, P. Hanrahan 2001), mirrored lamps have many.

/** Harmonics around the axis: a constant and two pairs, with one more sine; and of the height. */
const AROUND = 6
const ALONG = 3
const TERMS = AROUND * ALONG

/** Radians from the middle of the artwork to its edge, for the series; the print of a mug goes as far. */
const HALF_ANGLE = 1.309

/** The number of points that are fitted: more do not improve a fit of so few numbers. */
const FITTED_POINTS = 40_000

const ROUNDS = 12

/** Points above the fit by this share of light count half. */
const MIRRORED = 0.02
const DARK_OFFSET = 0.3

/** The table by which the series is evaluated. */
const TABLE_COLUMNS = 257
const TABLE_ROWS = 65

/** Light as a function of the artwork's coordinates. */
export type SmoothLight = (u: number, v: number) => number

/**
 * The smooth diffuse light on a curved body, from a plane of linear light; null if too little is seen.
 * Weights decrease above the fit, so it becomes a lower envelope.
 */
export function fitSmoothLight(
  light: Float32Array,
  weights: Float32Array,
  u: Float32Array,
  v: Float32Array,
): SmoothLight | null {
  let inside = 0
  for (const weight of weights) if (weight > 0.95) inside++
  if (inside < TERMS) return null
  const step = Math.max(1, Math.floor(inside / FITTED_POINTS))
  const chosen: number[] = []
  for (let i = 0, seen = 0; i < weights.length; i++) {
    if ((weights[i] ?? 0) > 0.95 && seen++ % step === 0) chosen.push(i)
  }
  const bases = new Float64Array(chosen.length * TERMS)
  const values = Float64Array.from(chosen, i => light[i] ?? 0)
  for (const [k, i] of chosen.entries()) writeBasis(u[i] ?? 0, v[i] ?? 0, bases, k * TERMS)
  let coefficients: Float64Array | null = null
  for (let round = 0; round < ROUNDS; round++) coefficients = solveRound(bases, values, coefficients)
  return tabulate(coefficients ?? new Float64Array(TERMS))
}

function writeBasis(u: number, v: number, to: Float64Array, at: number): void {
  const angle = HALF_ANGLE * (2 * u - 1)
  const height = 2 * v - 1
  for (let j = 0, k = at; j < ALONG; j++) {
    const vertical = j === 0 ? 1 : j === 1 ? height : height * height - 0.33
    to[k++] = vertical
    for (let i = 1; i < AROUND; i++) {
      const turns = Math.ceil(i / 2) * angle
      to[k++] = vertical * (i % 2 === 1 ? Math.sin(turns) : Math.cos(turns))
    }
  }
}

/** Weighted least squares; weights depend on how far points lie above the previous fit. */
function solveRound(bases: Float64Array, values: Float64Array, former: Float64Array | null): Float64Array {
  const matrix = zeroMatrix(TERMS)
  const right = new Float64Array(TERMS)
  for (let k = 0, at = 0; k < values.length; k++, at += TERMS) {
    const value = values[k] ?? 0
    let weight = 1
    if (former) {
      let above = value
      for (let i = 0; i < TERMS; i++) above -= (former[i] ?? 0) * (bases[at + i] ?? 0)
      const share = above / (MIRRORED * (DARK_OFFSET + value))
      if (share > 0) weight = 1 / (1 + share * share)
    }
    for (let i = 0; i < TERMS; i++) {
      const weighted = weight * (bases[at + i] ?? 0)
      right[i] = (right[i] ?? 0) + weighted * value
      const row = matrix[i]
      if (row) for (let j = 0; j <= i; j++) row[j] = (row[j] ?? 0) + weighted * (bases[at + j] ?? 0)
    }
  }
  for (const [i, row] of matrix.entries()) {
    for (let j = 0; j < i; j++) {
      const other = matrix[j]
      if (other) other[i] = row[j] ?? 0
    }
  }
  for (const [i, row] of matrix.entries()) row[i] = (row[i] ?? 0) * (1 + 1e-6)
  return solveLinear(matrix, right)
}

/** The series on a grid of the unit square, linear between its points, and constant beyond its edge. */
function tabulate(coefficients: Float64Array): SmoothLight {
  const table = new Float64Array(TABLE_COLUMNS * TABLE_ROWS)
  const basis = new Float64Array(TERMS)
  for (let row = 0, k = 0; row < TABLE_ROWS; row++) {
    for (let column = 0; column < TABLE_COLUMNS; column++, k++) {
      writeBasis(column / (TABLE_COLUMNS - 1), row / (TABLE_ROWS - 1), basis, 0)
      let sum = 0
      for (let i = 0; i < TERMS; i++) sum += (coefficients[i] ?? 0) * (basis[i] ?? 0)
      table[k] = sum
    }
  }
  const within = (value: number, most: number): number => Math.min(most - 1e-6, Math.max(0, value * most))
  return (u, v) => {
    const [x, y] = [within(u, TABLE_COLUMNS - 1), within(v, TABLE_ROWS - 1)]
    const [left, top] = [Math.floor(x), Math.floor(y)]
    const [a, b, k] = [x - left, y - top, top * TABLE_COLUMNS + left]
    const upper = (table[k] ?? 0) * (1 - a) + (table[k + 1] ?? 0) * a
    const lower = (table[k + TABLE_COLUMNS] ?? 0) * (1 - a) + (table[k + TABLE_COLUMNS + 1] ?? 0) * a
    return upper * (1 - b) + lower * b
  }
}
