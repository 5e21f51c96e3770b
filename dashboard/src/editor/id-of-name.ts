import { slugOf } from '@vitrine/engine'

/**
 * An id from a name: a-z 0-9 -, 2 to 64 characters, with a random end so that equal names get different ids.
 */
export function idOfName(name: string): string {
  const base = slugOf(name, { maxLength: 52 })
  const random = Array.from(crypto.getRandomValues(new Uint8Array(5)), byte => (byte % 36).toString(36)).join('')
  return `${base === '' ? 'template' : base}-${random}`
}

/** What identifies a new template. Its id stays, so that a save that is repeated replaces the first one. */
export const newTemplateNamed = (name: string) => ({ id: idOfName(name), isNew: true, name })
