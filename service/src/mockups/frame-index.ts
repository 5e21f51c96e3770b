/** The frame index that a text spells in plain digits, without a sign or leading zeros; null where it spells none. */
export function parseFrameIndex(text: string): number | null {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null
}
