/** Months of the ledger in UTC. Moments are in milliseconds since 1970. */

/** Usage can be queried for a year, whose first month must still be complete. */
const RETAINED_MONTHS = 13

/** A refund follows within minutes, or within hours if the database was unavailable. */
const OPEN_MONTHS = 1

/** The first moment after the month that contains a moment. */
export function endOfMonth(timeMs: number): number {
  return addMonths(timeMs, 1)
}

/** The default end of the archived period. */
export function defaultBefore(nowMs: number): number {
  return addMonths(nowMs, -RETAINED_MONTHS)
}

/** The latest possible end of the archived period: the month before the current one stays in the tables. */
export function latestBefore(nowMs: number): number {
  return addMonths(nowMs, -OPEN_MONTHS)
}

/** The month that ends at a moment, as `YYYY-MM`. */
export function monthBefore(endMs: number): string {
  return writeMonth(endMs - 1)
}

/** The month that contains a moment, as `YYYY-MM`. */
export function writeMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}

/** The first moment of a month given as `YYYY-MM`; null for any other text. */
export function parseMonth(text: string): number | null {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : null
}

/** The first moment of the month `count` months after the one that contains a moment. */
function addMonths(timeMs: number, count: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + count, 1)
}
