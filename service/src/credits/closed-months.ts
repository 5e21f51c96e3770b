/** Months of the ledger in UTC; a moment is in milliseconds since 1970. */

/** Usage can be asked for a year, and the month in which that begins is still whole. */
const KEPT_MONTHS = 13

/** Refunds come minutes after a mockup, or hours where the database was away. */
const OPEN_MONTHS = 1

/** The first moment after the month of a moment. */
export function endOfMonth(timeMs: number): number {
  return addMonths(timeMs, 1)
}

/** The end of what is archived where nothing else is asked for. */
export function defaultBefore(nowMs: number): number {
  return addMonths(nowMs, -KEPT_MONTHS)
}

/** The end of what may be archived: the month before the current one stays. */
export function latestBefore(nowMs: number): number {
  return addMonths(nowMs, -OPEN_MONTHS)
}

/** The month that ends at a moment, as `YYYY-MM`. */
export function monthBefore(endMs: number): string {
  return writeMonth(endMs - 1)
}

/** The month of a moment, as `YYYY-MM`. */
export function writeMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}

/** The first moment of a month written `YYYY-MM`; null for another text. */
export function parseMonth(text: string): number | null {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : null
}

/** The first moment of the month that is so many after that of a moment. */
function addMonths(timeMs: number, count: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + count, 1)
}
