import { BundleError } from '@vitrine/engine'
import { EmailTakenError, InvalidEmailError } from '../accounts/accounts.ts'
import { InvalidKeyLimitError, InvalidKeyNameError } from '../api-keys/key-limits.ts'
import { BackupRefusedError } from '../backup/back-up.ts'
import { LedgerArchiveRefusedError } from '../credits/archive-ledger.ts'
import { DataMigrationRefusedError } from '../data-migration/data-migration-refused-error.ts'
import { DatabaseRefusedError, DatabaseUnavailableError } from '../database/database-error.ts'
import { isDiskFull } from '../errors/disk-full-error.ts'
import { UnfitSurroundingsError } from '../first-run/check-surroundings.ts'
import { PsdImportFailedError, PsdImportRefusedError } from '../psd-import/import-psd-file.ts'
import { InvalidPublishableKeyError } from '../publishable-keys/publishable-keys.ts'
import { SettingsError } from '../settings/load-settings.ts'
import { StorageUnavailableError } from '../storage/object-storage.ts'
import { ImportsBusyError } from '../templates/import-queue.ts'
import {
  BundleInspectionFailedError,
  BundleTooCostlyError,
  BundleUnreadableError,
} from '../templates/inspect-bundle.ts'
import { TemplateIdTakenError } from '../templates/template-store.ts'
import { OperatorError } from './operator-error.ts'
import { describeFaults } from './template-commands.ts'

const explained = [
  OperatorError,
  SettingsError,
  UnfitSurroundingsError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
  InvalidKeyNameError,
  InvalidKeyLimitError,
  InvalidPublishableKeyError,
  InvalidEmailError,
  EmailTakenError,
  TemplateIdTakenError,
  BundleUnreadableError,
  BundleTooCostlyError,
  BundleInspectionFailedError,
  PsdImportRefusedError,
  PsdImportFailedError,
  ImportsBusyError,
  BackupRefusedError,
  DataMigrationRefusedError,
  LedgerArchiveRefusedError,
  StorageUnavailableError,
]

/** An error as one sentence for the operator. Null for a defect: its stack is printed instead. */
export function explainError(error: unknown): string | null {
  if (error instanceof BundleError) {
    return ['The bundle cannot be used:', ...describeFaults(error.faults)].join('\n  ')
  }
  if (isDiskFull(error)) return 'There is no room on the disk.'
  if (error instanceof Error && explained.some(kind => error instanceof kind)) return asSentence(error.message)
  return null
}

function asSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
