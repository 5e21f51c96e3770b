/** A path of ours in an address; undefined for all else: what begins with // would leave the origin. */
export const ownPathOf = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\/(?![/\\])/.test(raw) ? raw : undefined
