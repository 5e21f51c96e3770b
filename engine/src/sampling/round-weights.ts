/** Rounds weights to integers that sum to `one`, none above `most`; the first greatest takes the rest. */
export function roundWeights(exact: Float64Array, one: number, most: number, rounded: Int16Array): void {
  const sum = exact.reduce((total, weight) => total + weight, 0)
  let rest = one
  let greatest = 0
  for (let tap = 0; tap < exact.length; tap++) {
    const weight = Math.round(((exact[tap] ?? 0) / sum) * one)
    rounded[tap] = Math.min(most, weight)
    rest -= weight
    if (weight > (rounded[greatest] ?? 0)) greatest = tap
  }
  rounded[greatest] = Math.min(most, (rounded[greatest] ?? 0) + rest)
}
