/** A path on this origin; undefined for anything else: a path that begins with // would leave it. */
export const ownPathOf = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\/(?![/\\])/.test(raw) ? raw : undefined
