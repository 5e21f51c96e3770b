import { solveLinear, zeroMatrix } from './solve-linear.ts'

/** The differences between a model and measurements, each divided by its expected error. */
export type Residuals = (parameters: Float64Array) => Float64Array

export type Minimum = { readonly parameters: Float64Array; readonly residuals: Float64Array; readonly cost: number }

const FIRST_DAMPING = 1e-3
const LEAST_DAMPING = 1e-9
const DAMPING_TRIALS = 8

/** Ends when a step reduces the cost by less than this share. */
const LEAST_GAIN = 1e-10

/** Levenberg-Marquardt: the parameters with the least sum of squares near `start`. */
export function minimize(residualsOf: Residuals, start: Float64Array, maxSteps: number): Minimum {
  let best = measure(residualsOf, start)
  let damping = FIRST_DAMPING
  for (let step = 0; step < maxSteps; step++) {
    const { normal, gradient } = buildNormalEquations(residualsOf, best)
    let next: Minimum | null = null
    for (let trial = 0; trial < DAMPING_TRIALS && next === null; trial++) {
      const damped = normal.map((row, i) => {
        const copy = row.slice()
        copy[i] = (row[i] ?? 0) + damping * ((row[i] ?? 0) + 1e-9)
        return copy
      })
      const change = solveLinear(damped, gradient)
      const tried = measure(
        residualsOf,
        best.parameters.map((value, i) => value + (change[i] ?? 0)),
      )
      if (tried.cost < best.cost) next = tried
      else damping *= 6
    }
    if (next === null) break
    const gain = best.cost - next.cost
    const isDone = gain < LEAST_GAIN * best.cost
    best = next
    damping = Math.max(LEAST_DAMPING, damping / 5)
    if (isDone) break
  }
  return best
}

function measure(residualsOf: Residuals, parameters: Float64Array): Minimum {
  const residuals = residualsOf(parameters)
  let cost = 0
  for (const residual of residuals) cost += residual * residual
  return { parameters, residuals, cost: Number.isFinite(cost) ? cost : Infinity }
}

/** J'J and -J'r, with derivatives by differences. */
function buildNormalEquations(
  residualsOf: Residuals,
  { parameters, residuals }: Minimum,
): { normal: Float64Array[]; gradient: Float64Array } {
  const columns = Array.from(parameters, (value, i) => {
    const difference = 1e-6 * Math.max(1, Math.abs(value))
    const moved = parameters.slice()
    moved[i] = value + difference
    const changed = residualsOf(moved)
    return changed.map((residual, k) => (residual - (residuals[k] ?? 0)) / difference)
  })
  const normal = zeroMatrix(parameters.length)
  const gradient = new Float64Array(parameters.length)
  for (const [i, column] of columns.entries()) {
    for (const [j, other] of columns.entries()) {
      let sum = 0
      for (let k = 0; k < column.length; k++) sum += (column[k] ?? 0) * (other[k] ?? 0)
      const row = normal[i]
      if (row) row[j] = sum
    }
    let sum = 0
    for (let k = 0; k < column.length; k++) sum -= (column[k] ?? 0) * (residuals[k] ?? 0)
    gradient[i] = sum
  }
  return { normal, gradient }
}
