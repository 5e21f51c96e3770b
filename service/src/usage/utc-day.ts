export const DAY_MS = 86_400_000

/** The UTC calendar day of a Unix time, `YYYY-MM-DD`. */
export function utcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
