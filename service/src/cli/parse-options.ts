import { InvalidArgumentError } from 'commander'

/** A parser for an option that is a whole number within bounds. */
export function parseWhole(what: string, least: number, greatest: number): (text: string) => number {
  return text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= greatest) return value
    throw new InvalidArgumentError(`Expected ${what} from ${least} to ${greatest}.`)
  }
}

/** A billion credits are ten million dollars: more is a typing error. */
export const parseCredits = (least: number): ((text: string) => number) =>
  parseWhole('a whole number of credits', least, 1_000_000_000)
