/** Characters of a received text that an error shows. */
const SHOWN_CHARACTERS = 100

/** Anything that looks like an API key. */
const apiKeys = /vt_[0-9A-Za-z]{8,}/g

/** A text without API keys, which callers put into any field by mistake. */
export function withoutKeys(text: string): string {
  return text.replaceAll(apiKeys, 'vt_...').toWellFormed()
}

/** A text that is safe to repeat in an answer: without API keys, cut when long. */
export function shown(text: string): string {
  const safe = withoutKeys(text)
  return safe.length > SHOWN_CHARACTERS ? `${safe.slice(0, SHOWN_CHARACTERS).toWellFormed()}...` : safe
}

/** Control characters, or what stands for bytes that are no UTF-8: a file that was sent as a text. */
// oxlint-disable-next-line no-control-regex
const noText = /[\u0000-\u0008\u000e-\u001f\ufffd]/

const BYTES_IN_WORDS = 'bytes that are no text'

/** Stands for a file where a value was expected. */
export const receivedFile = Symbol('a file')

/** A received value in words, for "... but received {words}". */
export function describeReceived(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return noText.test(value) ? BYTES_IN_WORDS : JSON.stringify(shown(value))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === receivedFile) return 'a file'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return 'an object'
}

/** A received value for `details.received`: scalars unchanged (cut when long), others in words. */
export function receivedDetail(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return noText.test(value) ? BYTES_IN_WORDS : shown(value)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  return describeReceived(value)
}
