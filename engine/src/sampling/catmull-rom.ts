/**
 * The interpolation kernel of Keys 1981 with a = -1/2 and reach 2. It reproduces samples and linear ramps
 * exactly; a = -3/4 does not reproduce ramps.
 */
export function catmullRom(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1
  return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
}
