/**
 * The distance in pixels from each pixel's centre to that of the nearest one that is set, and 0 on those;
 * infinite where none is. P. Felzenszwalb, D. Huttenlocher, Distance Transforms of Sampled Functions, 2012.
 */
export function distanceToSet(isSet: (k: number) => boolean, widthPx: number, heightPx: number): Float32Array {
  const squared = new Float64Array(widthPx * heightPx)
  for (let k = 0; k < squared.length; k++) squared[k] = isSet(k) ? 0 : FAR
  const scratch = createScratch(Math.max(widthPx, heightPx))
  for (let x = 0; x < widthPx; x++) transformLine(squared, x, widthPx, heightPx, scratch)
  for (let y = 0; y < heightPx; y++) transformLine(squared, y * widthPx, 1, widthPx, scratch)
  return Float32Array.from(squared, value => (value >= FAR ? Infinity : Math.sqrt(value)))
}

/** Beyond the square of any canvas's diagonal, and exact in sums. */
const FAR = 1e12

type Scratch = { readonly values: Float64Array; readonly vertices: Int32Array; readonly bounds: Float64Array }

function createScratch(length: number): Scratch {
  return {
    values: new Float64Array(length),
    vertices: new Int32Array(length),
    bounds: new Float64Array(length + 1),
  }
}

/** One line: the lower envelope of parabolas at each of its values. */
function transformLine(plane: Float64Array, start: number, step: number, length: number, scratch: Scratch): void {
  const { values, vertices, bounds } = scratch
  const value = (i: number): number => values[i] ?? FAR
  for (let i = 0; i < length; i++) values[i] = plane[start + i * step] ?? FAR
  let last = 0
  vertices[0] = 0
  bounds[0] = -Infinity
  bounds[1] = Infinity
  for (let q = 1; q < length; q++) {
    let crossing = crossingOf(q, vertices[last] ?? 0, value)
    while (last > 0 && crossing <= (bounds[last] ?? 0)) {
      last--
      crossing = crossingOf(q, vertices[last] ?? 0, value)
    }
    last++
    vertices[last] = q
    bounds[last] = crossing
    bounds[last + 1] = Infinity
  }
  let at = 0
  for (let q = 0; q < length; q++) {
    while ((bounds[at + 1] ?? Infinity) < q) at++
    const vertex = vertices[at] ?? 0
    plane[start + q * step] = Math.min(FAR, (q - vertex) ** 2 + value(vertex))
  }
}

function crossingOf(q: number, p: number, value: (i: number) => number): number {
  return (value(q) + q * q - (value(p) + p * p)) / (2 * (q - p))
}
