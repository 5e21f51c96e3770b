import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62_ALPHABET, randomBase62 } from '../database/new-id.ts'

/** The prefix of every secret key. Secret scanners detect keys by it and by the checksum at their end. */
export const KEY_PREFIX = 'vt_'

/** The prefix of a publishable key, which may be embedded in pages. */
export const PUBLISHABLE_PREFIX = 'vtp_'

const RANDOM_LENGTH = 30 // 178 bits
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32
const bodyShape = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** Generates a key: `vt_`, 30 random base-62 characters, and a checksum of 6 over all before them. */
export function buildApiKey(): string {
  return buildKey(KEY_PREFIX)
}

/** Generates a publishable key, of the same form with the prefix `vtp_`. */
export function buildPublishableKey(): string {
  return buildKey(PUBLISHABLE_PREFIX)
}

/** Whether the text is a well-formed key. Only one mistyped key in 4,000 million is. */
export function hasApiKeyForm(text: string): boolean {
  return hasKeyForm(KEY_PREFIX, text)
}

/** Whether the text is a well-formed publishable key. */
export function hasPublishableKeyForm(text: string): boolean {
  return hasKeyForm(PUBLISHABLE_PREFIX, text)
}

function buildKey(prefix: string): string {
  const body = prefix + randomBase62(RANDOM_LENGTH)
  return body + checksum(body)
}

function hasKeyForm(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !bodyShape.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** The stored hash of a key. With 178 random bits, a plain hash cannot be reversed by guessing. */
export function hashApiKey(key: string): string {
  return hash('sha256', key)
}

/** What is shown of a key after its creation: its first 7 characters. */
export function displayOfApiKey(key: string): string {
  return key.slice(0, KEY_PREFIX.length + 4)
}

/** CRC-32 (IEEE 802.3, as zlib's) in base 62, most significant digit first, padded to 6 digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = (BASE62_ALPHABET[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
