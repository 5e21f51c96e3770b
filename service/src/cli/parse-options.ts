import { emailAddressSchema } from '@vitrine/contract'
import { InvalidArgumentError } from 'commander'

/** A parser for an option that takes a whole number within bounds. */
export function parseWhole(what: string, least: number, greatest: number): (text: string) => number {
  return text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= greatest) return value
    throw new InvalidArgumentError(`Expected ${what} from ${least} to ${greatest}.`)
  }
}

/** The e-mail address of a new account. */
export function parseEmailAddress(text: string): string {
  const { data } = emailAddressSchema.safeParse(text.trim())
  if (data !== undefined) return data
  throw new InvalidArgumentError('Expected an e-mail address such as shop@example.com.')
}

const DAY_MS = 86_400_000
const unitMs = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const

/** Parses whole hours, days or weeks to milliseconds: `24h`, `90d`, `2w`. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  if (unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * unitMs[unit]
  throw new InvalidArgumentError('Expected a time such as 24h, 90d or 2w.')
}

/** When a key expires: never, after a time, at the end of a day in UTC, or at a moment. */
export function parseExpiry(text: string): { readonly expiresAtMs: number | null } {
  // Commander treats a bare null as an option without a value.
  if (text === 'never') return { expiresAtMs: null }
  if (/^\d+[hdw]$/.test(text)) return { expiresAtMs: Date.now() + parseDuration(text) }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const momentMs = isDay || /^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(momentMs)) return { expiresAtMs: isDay ? momentMs + DAY_MS : momentMs }
  throw new InvalidArgumentError('Expected never, a time such as 90d, a day such as 2027-01-31, or a moment in UTC.')
}

/** A parser for an option that may be given several times, or once with commas. */
export function parseList<Value>(parse: (text: string) => Value): (text: string, before?: readonly Value[]) => Value[] {
  return (text, before = []) => [...before, ...text.split(',').map(each => parse(each.trim()))]
}

/** A billion credits are ten million dollars: a higher number is a mistake. */
export const parseCredits = (least: number): ((text: string) => number) =>
  parseWhole('a whole number of credits', least, 1_000_000_000)
