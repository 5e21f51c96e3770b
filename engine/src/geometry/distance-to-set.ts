/**
 * The distance in pixels from each pixel's centre to that of the nearest set pixel, 0 on those; infinite if
 * none is set, or none within `limitPx`. `nearest` is filled with which pixel that is. A. Meijster et al.,
 * A General Algorithm for Computing Distance Transforms in Linear Time, 2000.
 */
export function distanceToSet(
  isSet: (k: number) => boolean,
  widthPx: number,
  heightPx: number,
  limitPx = Infinity,
  nearest: Int32Array | null = null,
): Float32Array {
  const along = distanceAlongColumns(isSet, widthPx, heightPx)
  const out = new Float32Array(along.length)
  const farthest = Math.min(limitPx, FAR)
  // Columns whose parabolas form the lower envelope of a row, and where each begins.
  const vertices = new Int32Array(widthPx)
  const starts = new Int32Array(widthPx)
  const squares = new Float64Array(widthPx)
  for (let y = 0; y < heightPx; y++) {
    const first = y * widthPx
    let last = -1
    for (let x = 0; x < widthPx; x++) {
      const distance = along[first + x] ?? FAR
      if (distance > farthest) continue
      const square = distance * distance
      squares[x] = square
      while (last >= 0) {
        const [vertex, start] = [vertices[last] ?? 0, starts[last] ?? 0]
        if ((start - vertex) ** 2 + (squares[vertex] ?? 0) <= (start - x) ** 2 + square) break
        last--
      }
      if (last < 0) {
        last = 0
        vertices[0] = x
        starts[0] = 0
        continue
      }
      const vertex = vertices[last] ?? 0
      const crossing = (x * x - vertex * vertex + square - (squares[vertex] ?? 0)) / (2 * (x - vertex))
      const start = 1 + Math.floor(crossing)
      if (start >= widthPx) continue
      last++
      vertices[last] = x
      starts[last] = start
    }
    if (last < 0) {
      out.fill(Infinity, first, first + widthPx)
      continue
    }
    for (let x = widthPx - 1; x >= 0; x--) {
      const vertex = vertices[last] ?? 0
      const square = (x - vertex) ** 2 + (squares[vertex] ?? 0)
      const isNear = square <= farthest * farthest
      out[first + x] = isNear ? Math.sqrt(square) : Infinity
      if (nearest && isNear) {
        const away = (along[first + vertex] ?? 0) * widthPx
        const above = first + vertex - away
        nearest[first + x] = above >= 0 && isSet(above) ? above : first + vertex + away
      }
      if (x === starts[last]) last--
    }
  }
  return out
}

/** Longer than any canvas, with an exact square. */
const FAR = 1e6

/** From each pixel to the nearest set pixel of its column; FAR or more if there is none. */
function distanceAlongColumns(isSet: (k: number) => boolean, widthPx: number, heightPx: number): Int32Array {
  const along = new Int32Array(widthPx * heightPx)
  for (let k = 0; k < along.length; k++) along[k] = isSet(k) ? 0 : k < widthPx ? FAR : (along[k - widthPx] ?? FAR) + 1
  for (let k = along.length - widthPx - 1; k >= 0; k--) {
    const below = (along[k + widthPx] ?? FAR) + 1
    if (below < (along[k] ?? FAR)) along[k] = below
  }
  return along
}
