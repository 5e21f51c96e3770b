import { fileURLToPath } from 'node:url'

/** A longer text without blanks is not a path. */
const BASE64_CHARACTERS = 200

/** The path that an assistant means, which may be a file URI. @throws {Error} for the assistant */
export function pathOf(given: string): string {
  if (/^data:/i.test(given) || (given.length > BASE64_CHARACTERS && /^[\w+/=-]+$/.test(given) && !given.includes('.')))
    throw new Error('Expected the path of a picture but received its bytes: save them as a file first.')
  if (/^file:/i.test(given)) {
    try {
      return fileURLToPath(given)
    } catch (error) {
      const expected = 'a path, or file:// and a path from the root on (file:///pictures/logo.png)'
      throw new Error(`Expected ${expected} but received ${JSON.stringify(given)}.`, { cause: error })
    }
  }
  const [scheme] = /^[a-z][a-z\d+.-]+:\/\//i.exec(given) ?? []
  if (scheme !== undefined) throw new Error(`Expected a path or an http(s) address but received one with ${scheme}.`)
  return given
}
