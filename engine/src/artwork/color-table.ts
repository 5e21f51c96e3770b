/** Converts inks by a table, as littleCMS builds for profiles with tables (cmsopt.c, cmsintrp.c). */

/** Nodes per ink; littleCMS uses as many for four channels. */
export const INK_NODES = 17

const CHANNELS = 3

/** sRGB by cyan, magenta, yellow and black, the last varying fastest: 17 nodes each, none to full. */
export type InkTable = Uint8Array

/** Converts each pixel's four inks, 0 = none, to opaque RGBA, in place. */
export function convertInks(pixels: Uint8Array, table: InkTable): void {
  const [strideC, strideM, strideY, strideK] = [17 * 17 * 17 * 3, 17 * 17 * 3, 17 * 3, 3]
  const last = INK_NODES - 1
  for (let at = 0; at < pixels.length; at += 4) {
    const c = ((pixels[at] ?? 0) * last) / 255
    const m = ((pixels[at + 1] ?? 0) * last) / 255
    const y = ((pixels[at + 2] ?? 0) * last) / 255
    const k = ((pixels[at + 3] ?? 0) * last) / 255
    const nodeC = Math.min(last - 1, Math.floor(c))
    const nodeM = Math.min(last - 1, Math.floor(m))
    const nodeY = Math.min(last - 1, Math.floor(y))
    const nodeK = Math.min(last - 1, Math.floor(k))
    const [shareC, shareM, shareY, shareK] = [c - nodeC, m - nodeM, y - nodeY, k - nodeK]
    const node = nodeC * strideC + nodeM * strideM + nodeY * strideY + nodeK * strideK
    // Tetrahedral interpolation over magenta, yellow and black: along the greatest fraction first.
    const mFirst = shareM >= shareY && shareM >= shareK
    const yFirst = !mFirst && shareY >= shareK
    const [greatest, greatestStride] = mFirst ? [shareM, strideM] : yFirst ? [shareY, strideY] : [shareK, strideK]
    const mLast = !mFirst && shareM <= (yFirst ? shareK : shareY)
    const yLast = !yFirst && !mLast && shareY <= (mFirst ? shareK : shareM)
    const [least, leastStride] = mLast ? [shareM, strideM] : yLast ? [shareY, strideY] : [shareK, strideK]
    const middle = shareM + shareY + shareK - greatest - least
    const second = node + greatestStride
    const fourth = node + strideM + strideY + strideK
    const third = fourth - leastStride
    for (let channel = 0; channel < CHANNELS; channel++) {
      const tetrahedron = (from: number): number =>
        (1 - greatest) * (table[from + node + channel] ?? 0) +
        (greatest - middle) * (table[from + second + channel] ?? 0) +
        (middle - least) * (table[from + third + channel] ?? 0) +
        least * (table[from + fourth + channel] ?? 0)
      const value = shareC === 0 ? tetrahedron(0) : (1 - shareC) * tetrahedron(0) + shareC * tetrahedron(strideC)
      pixels[at + channel] = Math.floor(value + 0.5)
    }
    pixels[at + 3] = 255
  }
}
