/**
 * Optimal prefix-code lengths of at most `maxBits` (package-merge, Larmore and Hirschberg 1990). Frequency 0
 * gets length 0, a single symbol one bit; equal frequencies are ordered by symbol. Throws RangeError for
 * negative or non-finite frequencies, and if 2 ** maxBits codes are too few.
 */
export function codeLengths(frequencies: ArrayLike<number>, maxBits: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length)
  const used: { readonly symbol: number; readonly weight: number }[] = []
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    const weight = frequencies[symbol] ?? 0
    if (!(weight >= 0) || weight === Number.POSITIVE_INFINITY)
      throw new RangeError(`Frequency of ${symbol} is ${weight}`)
    if (weight > 0) used.push({ symbol, weight })
  }
  const count = used.length
  if (count > 2 ** maxBits) throw new RangeError(`${count} symbols do not fit codes of ${maxBits} bits`)
  if (count < 2) {
    for (const { symbol } of used) lengths[symbol] = 1
    return lengths
  }
  used.sort((a, b) => a.weight - b.weight || a.symbol - b.symbol)
  const weights = Float64Array.from(used, item => item.weight)

  // Per level: which merged items are symbols (1) or packages of two items of the level below (0).
  const levels: Uint8Array[] = [new Uint8Array(count).fill(1)]
  let previous = weights
  for (let level = 1; level < maxBits; level++) {
    const packageCount = previous.length >> 1
    const merged = new Float64Array(count + packageCount)
    const isSymbol = new Uint8Array(count + packageCount)
    let nextSymbol = 0
    let nextPackage = 0
    for (let i = 0; i < merged.length; i++) {
      const symbolWeight = nextSymbol < count ? (weights[nextSymbol] ?? 0) : Number.POSITIVE_INFINITY
      const packageWeight =
        nextPackage < packageCount
          ? (previous[2 * nextPackage] ?? 0) + (previous[2 * nextPackage + 1] ?? 0)
          : Number.POSITIVE_INFINITY
      if (symbolWeight <= packageWeight) {
        merged[i] = symbolWeight
        isSymbol[i] = 1
        nextSymbol++
      } else {
        merged[i] = packageWeight
        nextPackage++
      }
    }
    previous = merged
    levels.push(isSymbol)
  }

  let taken = 2 * count - 2
  for (let level = maxBits - 1; level >= 0 && taken > 0; level--) {
    let symbolCount = 0
    for (let i = 0; i < taken; i++) symbolCount += levels[level]?.[i] ?? 0
    for (let i = 0; i < symbolCount; i++) {
      const symbol = used[i]?.symbol ?? 0
      lengths[symbol] = (lengths[symbol] ?? 0) + 1
    }
    taken = 2 * (taken - symbolCount)
  }
  return lengths
}
