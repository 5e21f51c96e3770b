/** A field of parsed JSON; undefined where there is none. */
export function readField(json: unknown, ...path: readonly (string | number)[]): unknown {
  let value = json
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.getOwnPropertyDescriptor(value, name)?.value
  }
  return value
}

/** A field that is text or a number, as text; empty where it is neither. */
export function readText(json: unknown, ...path: readonly (string | number)[]): string {
  const value = readField(json, ...path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A field that is a list; empty where it is none. */
export function readList(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = readField(json, ...path)
  return Array.isArray(value) ? value : []
}
