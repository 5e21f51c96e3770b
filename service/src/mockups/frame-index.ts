/** The frame index that a text spells: digits without a sign or leading zeros. Null for any other text. */
export function parseFrameIndex(text: string): number | null {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null
}
