/**
 * Numbers and dates in the reader's locale and time zone, with UTC on hover. Money is always formatted in
 * English, like the pages.
 */

/** The reader's languages, without those that Intl refuses. */
function readerLocales(): readonly string[] {
  const wanted = typeof navigator === 'undefined' ? [] : navigator.languages
  return wanted.filter(locale => {
    try {
      return Intl.getCanonicalLocales(locale).length > 0
    } catch {
      return false
    }
  })
}

const locales = [...readerLocales(), 'en-US']

const wholeNumber = new Intl.NumberFormat(locales)
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dateTime = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' })
const localDay = new Intl.DateTimeFormat(locales, { dateStyle: 'full' })
const shortDay = new Intl.DateTimeFormat(locales, { dateStyle: 'medium' })
const timeOnly = new Intl.DateTimeFormat(locales, { timeStyle: 'short' })
const toTheSecond = new Intl.DateTimeFormat(locales, { dateStyle: 'short', timeStyle: 'medium' })
const dateOnly = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone: 'UTC' })

export const formatCount = (value: number): string => wholeNumber.format(value)

/** A number with its noun: "1 scene", "2 scenes". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${wholeNumber.format(count)} ${Math.abs(count) === 1 ? noun : plural}`

/** The number of frames, and the name of one: counted from 1 on the pages and from 0 in requests. */
export const formatFrames = (count: number): string => counted(count, 'frame')
export const formatFrame = (index: number): string => `frame ${index + 1}`

/** One credit is one cent. */
export const formatCredits = (credits: number): string => counted(credits, 'credit')
export const formatCents = (cents: number): string => dollars.format(cents / 100)

/** A time (ISO 8601) in the reader's time zone. */
export const formatMoment = (iso: string): string => dateTime.format(new Date(iso))
/** The same to the second, in the shortest format. */
export const formatMomentToSecond = (iso: string): string => toTheSecond.format(new Date(iso))
/** The date of a time (ISO 8601) in the reader's time zone; also with its weekday, and the time of day. */
export const formatDayOf = (iso: string): string => shortDay.format(new Date(iso))
export const formatLocalDay = (iso: string): string => localDay.format(new Date(iso))
export const formatTime = (iso: string): string => timeOnly.format(new Date(iso))
export const formatMomentUtc = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** A calendar date (YYYY-MM-DD, UTC). */
export const formatDay = (day: string): string => dateOnly.format(new Date(`${day}T00:00:00Z`))
