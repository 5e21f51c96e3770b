/** Parses a whole number such as `50` or `50.0` (equal in JSON). Null for any other text. */
export function readWholeNumber(text: string): number | null {
  return /^-?\d{1,16}(?:\.0{1,15})?$/.test(text) ? Number(text) : null
}
