import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62_ALPHABET, randomBase62 } from '../database/new-id.ts'

/** What every secret key begins with: a secret scanner finds keys by it, and by the checksum at their end. */
export const KEY_PREFIX = 'vt_'

/** What a key begins with that may stand in a page. */
export const PUBLISHABLE_PREFIX = 'vtp_'

const RANDOM_LENGTH = 30 // 178 bits
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32
const bodyShape = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new key: `vt_`, 30 random base-62 characters, and 6 that are the checksum of all before them. */
export function buildApiKey(): string {
  return buildKey(KEY_PREFIX)
}

/** A new key for pages, of the same form after its prefix `vtp_`. */
export function buildPublishableKey(): string {
  return buildKey(PUBLISHABLE_PREFIX)
}

/** Whether the text can be a key at all. A mistyped one cannot, but for one in 4,000 million. */
export function hasApiKeyForm(text: string): boolean {
  return hasKeyForm(KEY_PREFIX, text)
}

/** Whether the text can be a key for pages. */
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

/** What is stored of a key. It holds 178 random bits, so that a plain hash can't be guessed back. */
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
