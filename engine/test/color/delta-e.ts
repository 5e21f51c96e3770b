export type Triple = readonly [number, number, number]

/** XYZ relative to D50 to CIE L*a*b*. */
export function labFromXyz([x, y, z]: Triple): Triple {
  const f = (t: number): number => (t > 216 / 24_389 ? Math.cbrt(t) : (t * (24_389 / 27) + 16) / 116)
  const [fx, fy, fz] = [f(x / 0.9642), f(y), f(z / 0.8249)]
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

/** CIE L*a*b* to XYZ relative to D50. */
export function xyzFromLab([l, a, b]: Triple): Triple {
  const g = (t: number): number => (t > 6 / 29 ? t ** 3 : (116 * t - 16) / (24_389 / 27))
  const y = (l + 16) / 116
  return [0.9642 * g(y + a / 500), g(y), 0.8249 * g(y - b / 200)]
}

/** CIEDE2000 (Sharma, Wu, Dalal 2005), all weights 1. About 1 is the least difference seen side by side. */
export function deltaE2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const radians = Math.PI / 180
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)))
  const [ap1, ap2] = [(1 + g) * a1, (1 + g) * a2]
  const [c1, c2] = [Math.hypot(ap1, b1), Math.hypot(ap2, b2)]
  const hue = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / radians + 360) % 360)
  const [h1, h2] = [hue(ap1, b1), hue(ap2, b2)]
  const deltaL = l2 - l1
  const deltaC = c2 - c1
  const turn = h2 - h1
  const deltaH = c1 * c2 === 0 ? 0 : Math.abs(turn) <= 180 ? turn : turn > 180 ? turn - 360 : turn + 360
  const chordH = 2 * Math.sqrt(c1 * c2) * Math.sin((deltaH / 2) * radians)
  const meanL = (l1 + l2) / 2
  const meanC = (c1 + c2) / 2
  const sum = h1 + h2
  const meanH = c1 * c2 === 0 ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  const t =
    1 -
    0.17 * Math.cos((meanH - 30) * radians) +
    0.24 * Math.cos(2 * meanH * radians) +
    0.32 * Math.cos((3 * meanH + 6) * radians) -
    0.2 * Math.cos((4 * meanH - 63) * radians)
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2)
  const sc = 1 + 0.045 * meanC
  const sh = 1 + 0.015 * meanC * t
  const theta = 30 * Math.exp(-(((meanH - 275) / 25) ** 2))
  const rt = -2 * Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)) * Math.sin(2 * theta * radians)
  const [dl, dc, dh] = [deltaL / sl, deltaC / sc, chordH / sh]
  return Math.sqrt(dl * dl + dc * dc + dh * dh + rt * dc * dh)
}
