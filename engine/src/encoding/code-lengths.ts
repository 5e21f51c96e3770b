/**
 * Optimal prefix-code lengths for these frequencies with no code longer than `maxBits` (package-merge, Larmore and Hirschberg 1990).
 * Symbols of frequency 0 get no code (length 0); a lone symbol gets one bit. Equal frequencies are ordered by symbol,
 * so the answer is the same everywhere. Frequencies must be finite and not negative, and 2 ** maxBits must hold all symbols.
 */
export function codeLengths(frequencies: ArrayLike<number>, maxBits: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length)
  const used: { symbol: number; weight: number }[] = []
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    const weight = frequencies[symbol] ?? 0
    if (!(weight >= 0) || weight === Number.POSITIVE_INFINITY)
      throw new RangeError(`Frequency of ${symbol} is ${weight}`)
    if (weight > 0) used.push({ symbol, weight })
  }
  if (used.length > 2 ** maxBits) throw new RangeError(`${used.length} symbols do not fit codes of ${maxBits} bits`)
  if (used.length < 2) {
    for (const { symbol } of used) lengths[symbol] = 1
    return lengths
  }
  used.sort((a, b) => a.weight - b.weight || a.symbol - b.symbol)

  // Per level, which items of the merged list are symbols (true) and which are packages of two items of the level below.
  const levels: boolean[][] = [used.map(() => true)]
  let previous = used.map(item => item.weight)
  for (let level = 1; level < maxBits; level++) {
    const packages: number[] = []
    for (let i = 0; i + 1 < previous.length; i += 2) packages.push((previous[i] ?? 0) + (previous[i + 1] ?? 0))
    const merged: number[] = []
    const isSymbol: boolean[] = []
    let nextSymbol = 0
    let nextPackage = 0
    while (nextSymbol < used.length || nextPackage < packages.length) {
      const symbolWeight = used[nextSymbol]?.weight ?? Number.POSITIVE_INFINITY
      const packageWeight = packages[nextPackage] ?? Number.POSITIVE_INFINITY
      const takesSymbol = symbolWeight <= packageWeight
      merged.push(takesSymbol ? symbolWeight : packageWeight)
      isSymbol.push(takesSymbol)
      if (takesSymbol) nextSymbol++
      else nextPackage++
    }
    previous = merged
    levels.push(isSymbol)
  }

  let taken = 2 * used.length - 2
  for (let level = maxBits - 1; level >= 0 && taken > 0; level--) {
    let symbolCount = 0
    for (let i = 0; i < taken; i++) if (levels[level]?.[i]) symbolCount++
    for (const { symbol } of used.slice(0, symbolCount)) lengths[symbol] = (lengths[symbol] ?? 0) + 1
    taken = 2 * (taken - symbolCount)
  }
  return lengths
}
