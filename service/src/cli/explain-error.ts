import { BundleError, describeFault } from '@vitrine/engine'
import { EmailTaken, InvalidEmail } from '../accounts/accounts.ts'
import { InvalidKeyNameError } from '../api-keys/api-keys.ts'
import { BackupRefused } from '../backup/back-up.ts'
import { DatabaseRefusedError, DatabaseUnavailableError } from '../database/database-error.ts'
import { UnfitSurroundings } from '../first-run/check-surroundings.ts'
import { SettingsError } from '../settings/load-settings.ts'
import { BundleInspectionFailed, BundleUnreadable } from '../templates/inspect-bundle.ts'
import { TemplateIdTaken } from '../templates/template-store.ts'
import { OperatorError } from './operator-error.ts'

const explained = [
  OperatorError,
  SettingsError,
  UnfitSurroundings,
  DatabaseRefusedError,
  DatabaseUnavailableError,
  InvalidKeyNameError,
  InvalidEmail,
  EmailTaken,
  TemplateIdTaken,
  BundleUnreadable,
  BundleInspectionFailed,
  BackupRefused,
]

/** What an error says to whoever gave the command, or null for a defect, whose stack is what helps. */
export function explainError(error: unknown): string | null {
  if (error instanceof BundleError) {
    const faults = error.faults.map(
      fault => `\n  ${fault.severity}: ${fault.file || 'bundle'}: ${describeFault(fault)}`,
    )
    return `The bundle cannot be used:${faults.join('')}`
  }
  if (error instanceof Error && explained.some(kind => error instanceof kind)) return asSentence(error.message)
  return null
}

function asSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
