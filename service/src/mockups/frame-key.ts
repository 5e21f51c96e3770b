/** How a request names frames: the index of one, or the slot of several. */
export type FrameKey = number | string

/** The slot of each frame; null or missing for a frame that no other shares artwork with. */
export type FrameSlots = readonly (string | null)[]

/** The frame index that a text spells: digits without a sign or leading zeros. Null for any other text. */
export function parseFrameIndex(text: string): number | null {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null
}

/** What one template's frames get of what is given by key; its index says more of a frame than its slot. */
export function byFrameIndex<Given>(
  given: Iterable<readonly [frame: FrameKey, value: Given]>,
  slots: FrameSlots,
): Map<number, Given> {
  const indexed = new Map<number, Given>()
  const entries = [...given]
  for (const [key, value] of entries) {
    if (typeof key === 'string')
      for (const [index, slot] of slots.entries()) if (slot === key) indexed.set(index, value)
  }
  for (const [key, value] of entries) if (typeof key === 'number') indexed.set(key, value)
  return indexed
}
