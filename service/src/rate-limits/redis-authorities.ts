import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SettingsError } from '../settings/load-settings.ts'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Reads a file of certificates, as PEM. TLS itself ignores what it cannot parse, and would trust no one.
 * @throws {SettingsError} naming REDIS_CA_FILE
 */
export function readAuthorities(file: string): readonly string[] {
  const refused = (why: string, cause: unknown) =>
    new SettingsError(
      [`Expected a file with certificates (PEM) for REDIS_CA_FILE but received ${JSON.stringify(file)}, which ${why}.`],
      { cause },
    )
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw refused(
      `cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
      error,
    )
  }
  const found = text.match(certificate) ?? []
  if (found.length === 0) throw refused('has none', null)
  try {
    found.map(each => new X509Certificate(each))
  } catch (error) {
    throw refused('has one that cannot be read', error)
  }
  return found
}
