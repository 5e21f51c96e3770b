import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { translations } from './error-mapping.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Error classes that the dashboard answers as defects, or never sees, with the reason. */
const untranslated: Readonly<Record<string, string>> = {
  ApiError: 'the common request steps, whose own handler answers it',
  ArtworkError: 'render processes, which answer with a message',
  BackupRefusedError: 'the command "vitrine backup"',
  BudgetExhaustedError: 'mockups, whose own handler answers it',
  BundleInspectionFailedError: 'a defect: the process that inspects bundles failed',
  ClientGoneError: 'no one: the connection is dropped',
  CommitUnknownError: 'operations: the database',
  DataMigrationRefusedError: 'the command "vitrine migrate-data"',
  DatabaseRefusedError: 'the start',
  DatabaseUnavailableError: 'operations: the database',
  DeclinedError: 'the decoder, which falls back to another one',
  DiskFullError: 'operations: the disk',
  DownloadError: 'mockups, whose own handler answers it',
  GenerationError: 'mockups, whose own handler answers it',
  HalfDoneError: 'the wallet, which undoes the transaction',
  JobCancelledError: 'render processes, which answer with a message',
  LedgerArchiveRefusedError: 'the command "vitrine ledger archive"',
  NotBegunError: 'the render pool, which retries',
  OperatorError: 'commands',
  PagePacksSpentError: 'routes for pages of other sites, whose own handler answers it',
  PhotoTemplateFailedError: 'the command "vitrine template from-photo"',
  PhotoTemplateRefusedError: 'the command "vitrine template from-photo"',
  PsdImportFailedError: 'the command "vitrine template import"',
  PsdImportRefusedError: 'the command "vitrine template import"',
  SandboxSilentError: 'callers of a sandboxed process, which report what failed',
  SettingsError: 'the start',
  SqliteError: 'operations: the database',
  StartRefusedError: 'the start',
  StorageUnavailableError: 'operations: the object storage',
  TurnsTakenError: 'calls of assistants, whose own handler answers it',
  UnfitSurroundingsError: 'the start',
  UnknownReservationError: 'a defect',
}

/** Every error class that the service's process may throw. */
function findErrorClasses(): string[] {
  return ['service/src', 'engine/src']
    .flatMap(folder =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => path.join(folder, name)),
    )
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bclass (\w+Error) extends/g)])
    .map(([, name = '']) => name)
}

test('every error class has an answer in the dashboard, or a reason why it needs none', () => {
  const known = [...translations.map(({ errorName }) => errorName), ...Object.keys(untranslated)]
  assert.deepEqual(new Set(known).size, known.length, 'a class is in both lists')
  const classes = findErrorClasses()
  assert.ok(classes.includes('InvalidKeyNameError'))
  // The class of a library.
  assert.deepEqual(known.filter(name => name !== 'ZodError').toSorted(), [...new Set(classes)].toSorted())
})
