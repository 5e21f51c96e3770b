/**
 * The whole number that a text spells in digits, as `50` or `50.0`: JSON has no other 50 for the latter.
 * Null where it spells none.
 */
export function readWholeNumber(text: string): number | null {
  return /^-?\d{1,16}(?:\.0{1,15})?$/.test(text) ? Number(text) : null
}
