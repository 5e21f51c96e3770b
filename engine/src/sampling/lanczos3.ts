/** Lobes on each side. */
export const LOBES = 3

/** The reduction filter: Lanczos with three lobes. */
export function lanczos3(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= LOBES) return 0
  const t = Math.PI * x
  return (LOBES * Math.sin(t) * Math.sin(t / LOBES)) / (t * t)
}
