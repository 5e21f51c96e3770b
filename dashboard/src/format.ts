/**
 * Numbers, money and dates as people read them. Dates are shown in the reader's zone, with UTC for a hover.
 */

const wholeNumber = new Intl.NumberFormat('en-US')
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const dateOnly = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export const formatCount = (value: number): string => wholeNumber.format(value)

/** One credit is one cent. */
export const formatCredits = (credits: number): string =>
  `${wholeNumber.format(credits)} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`
export const formatCents = (cents: number): string => dollars.format(cents / 100)

/** A moment (ISO 8601) in the reader's zone. */
export const formatMoment = (iso: string): string => dateTime.format(new Date(iso))
export const formatMomentUtc = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** A calendar day (YYYY-MM-DD, UTC). */
export const formatDay = (day: string): string => dateOnly.format(new Date(`${day}T00:00:00Z`))
