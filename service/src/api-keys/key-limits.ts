import { type KeyScope, keyScopes, limits } from '@vitrine/contract'
import { OperatorError } from '../errors/operator-error.ts'
import { parseAllowedAddress } from './allowed-addresses.ts'

/** Limits of a key: what it may do, from where and until when. Missing and null mean unlimited. */
export type KeyLimits = {
  /** From this moment on the key is refused. */
  readonly expiresAtMs?: number | null | undefined
  readonly scopes?: readonly KeyScope[] | null | undefined
  /** IP addresses and networks (CIDR). */
  readonly allowedAddresses?: readonly string[] | null | undefined
}

/** The limits as stored in columns. */
export type StoredLimits = {
  readonly expires_at_ms: number | null
  readonly scopes: string | null
  readonly allowed_addresses: string | null
}

/** The name of a key is missing, too long or has invalid characters: the message is for the caller. */
export class InvalidKeyNameError extends OperatorError {
  override readonly name = 'InvalidKeyNameError'
}

/** A limit of a key is invalid: the message is for the caller. */
export class InvalidKeyLimitError extends OperatorError {
  override readonly name = 'InvalidKeyLimitError'
}

const DAY_MS = 86_400_000

/**
 * Everything but letters, marks, digits, punctuation, signs and spaces. Invisible characters and those that
 * change the text direction could make two names look alike.
 */
const otherCharacter = /[^[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sm}\x20-\x7e]--\p{Default_Ignorable_Code_Point}]/v

/** @throws InvalidKeyNameError */
export function parseKeyName(name: string): string {
  const label = name.trim().normalize('NFC')
  const { keyNameCharactersMax: longest } = limits
  if (label.length === 0 || label.length > longest)
    throw new InvalidKeyNameError(
      `Expected 1 to ${longest} characters for the key's name but received ${label.length}.`,
    )
  const code = otherCharacter.exec(label)?.[0].codePointAt(0)
  if (code === undefined) return label
  const received = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  throw new InvalidKeyNameError(
    `Expected letters, digits, punctuation and spaces for the key's name but received the character ${received}.`,
  )
}

/** @throws InvalidKeyLimitError */
export function storeLimits({ expiresAtMs = null, scopes, allowedAddresses }: KeyLimits, nowMs: number): StoredLimits {
  return {
    expires_at_ms: expiresAtMs === null ? null : assertExpiry(expiresAtMs, nowMs),
    scopes: storeScopes(scopes ?? null),
    allowed_addresses: storeAddresses(allowedAddresses ?? null),
  }
}

function assertExpiry(expiresAtMs: number, nowMs: number): number {
  const { keyLifetimeDaysMax } = limits
  if (expiresAtMs > nowMs && expiresAtMs <= nowMs + keyLifetimeDaysMax * DAY_MS) return expiresAtMs
  throw new InvalidKeyLimitError(
    `Expected a moment within the next ${keyLifetimeDaysMax} days for the key's expiry but received ${new Date(expiresAtMs).toISOString()}.`,
  )
}

function storeScopes(scopes: readonly KeyScope[] | null): string | null {
  if (scopes === null) return null
  if (scopes.length > 0) return keyScopes.filter(scope => scopes.includes(scope)).join(',')
  throw new InvalidKeyLimitError("Expected at least one of the key's scopes but received none.")
}

function storeAddresses(written: readonly string[] | null): string | null {
  if (written === null || written.length === 0) return null
  const { keyAddressesMax } = limits
  if (written.length > keyAddressesMax)
    throw new InvalidKeyLimitError(
      `Expected at most ${keyAddressesMax} of the key's allowed addresses but received ${written.length}.`,
    )
  const addresses = written.map(text => {
    const address = parseAllowedAddress(text)
    if (address !== null) return address
    throw new InvalidKeyLimitError(
      `Expected IP addresses or networks such as 203.0.113.7 and 2001:db8::/48 for the key's allowed addresses but received ${JSON.stringify(text.slice(0, 50))}.`,
    )
  })
  return [...new Set(addresses)].join(',')
}

/** Parses stored scopes, and ignores those of a newer version of the service. */
export function readScopes(stored: string | null): readonly KeyScope[] | null {
  if (stored === null) return null
  const names: readonly string[] = stored.split(',')
  return keyScopes.filter(scope => names.includes(scope))
}

export function readAddresses(stored: string | null): readonly string[] | null {
  return stored === null ? null : stored.split(',')
}
