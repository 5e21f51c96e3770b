/** How a request identifies frames: by the index of one frame, or by a slot that several share. */
export type FrameKey = number | string

/** The slot of each frame; null or missing if it shares artwork with no other. */
export type FrameSlots = readonly (string | null)[]

/** Parses a frame index: digits without a sign or leading zeros. Null for any other text. */
export function parseFrameIndex(text: string): number | null {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null
}

/** The values for one template's frames. A value by frame index takes precedence over one by slot. */
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
