/** How many characters of a received text an error repeats. */
const SHOWN_CHARACTERS = 100

/** Matches anything that looks like an API key. */
const apiKeys = /vt_[0-9A-Za-z]{8,}/g

/** Masks API keys, which callers put into any field by mistake. */
export function withoutKeys(text: string): string {
  return text.replaceAll(apiKeys, 'vt_...').toWellFormed()
}

/** A text that is safe to repeat in an answer: API keys masked, truncated if long. */
export function shown(text: string): string {
  const safe = withoutKeys(text)
  return safe.length > SHOWN_CHARACTERS ? `${safe.slice(0, SHOWN_CHARACTERS).toWellFormed()}...` : safe
}

/** Control characters or U+FFFD (invalid UTF-8): a file that was sent as a text. */
// oxlint-disable-next-line no-control-regex
const binaryCharacter = /[\u0000-\u0008\u000e-\u001f\ufffd]/

const BINARY_DESCRIPTION = 'binary data'

/** Stands for a file that was received in place of a value. */
export const receivedFile = Symbol('a file')

/** Describes a received value for "... but received {description}". */
export function describeReceived(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return binaryCharacter.test(value) ? BINARY_DESCRIPTION : JSON.stringify(shown(value))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === receivedFile) return 'a file'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return 'an object'
}

/** A received value for `details.received`: scalars as they are (truncated if long), or a description. */
export function receivedDetail(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return binaryCharacter.test(value) ? BINARY_DESCRIPTION : shown(value)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  return describeReceived(value)
}
