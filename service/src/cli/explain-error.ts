import { BundleError } from '@vitrine/engine/bundle'
import { EmailTakenError, InvalidEmailError } from '../accounts/accounts.ts'
import { InvalidKeyLimitError, InvalidKeyNameError } from '../api-keys/key-limits.ts'
import { BackupRefusedError } from '../backup/back-up.ts'
import { LedgerArchiveRefusedError } from '../credits/archive-ledger.ts'
import { DataMigrationRefusedError } from '../data-migration/data-migration-refused-error.ts'
import { DatabaseRefusedError, DatabaseUnavailableError } from '../database/database-error.ts'
import { isDiskFull } from '../errors/disk-full-error.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { UnfitSurroundingsError } from '../first-run/check-surroundings.ts'
import { PhotoTemplateFailedError, PhotoTemplateRefusedError } from '../photo-import/make-photo-template.ts'
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
import { TemplateIdTakenError } from '../templates/template-errors.ts'
import { describeFaults } from './template-commands.ts'

const explained = [
  OperatorError,
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
  PhotoTemplateRefusedError,
  PhotoTemplateFailedError,
  ImportsBusyError,
  BackupRefusedError,
  DataMigrationRefusedError,
  LedgerArchiveRefusedError,
  StorageUnavailableError,
]

/** Explains an error to the operator in one sentence. Null for a defect, whose stack is printed instead. */
export function explainError(error: unknown): string | null {
  if (error instanceof BundleError) {
    return ['The bundle cannot be used:', ...describeFaults(error.faults)].join('\n  ')
  }
  if (isDiskFull(error)) return 'There is no room on the disk.'
  // Its message already quotes values.
  if (error instanceof SettingsError) return error.problems.join('\n')
  if (!(error instanceof Error)) return null
  // A failed system call on a named file is not a defect.
  const isExplained = 'syscall' in error || explained.some(kind => error instanceof kind)
  return isExplained ? asSentence(error.message) : null
}

function asSentence(message: string): string {
  // Given names and values may contain control characters, but a sentence is one line.
  const line = message.replaceAll(/\p{Cc}/gu, each => JSON.stringify(each).slice(1, -1))
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
