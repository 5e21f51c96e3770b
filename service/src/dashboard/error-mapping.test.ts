import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { translations } from './error-mapping.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Classes of errors that the dashboard answers as defects, or never sees, and why. */
const untranslated: Readonly<Record<string, string>> = {
  ApiError: 'steps of all scopes: their handler answers it',
  ArtworkError: 'render processes, which answer with a message',
  BackupRefusedError: 'the command "vitrine backup"',
  BudgetExhaustedError: 'mockups, whose own handler answers it',
  BundleInspectionFailedError: 'a defect: the process that inspects bundles failed',
  ClientGoneError: 'nobody: the connection is dropped',
  CommitUnknownError: 'operations: the database',
  DataMigrationRefusedError: 'the command "vitrine migrate-data"',
  DatabaseRefusedError: 'the start',
  DatabaseUnavailableError: 'operations: the database',
  DeclinedError: 'the decoder: another one is used',
  DiskFullError: 'operations: the disk',
  DownloadError: 'mockups, whose own handler answers it',
  GenerationError: 'mockups, whose own handler answers it',
  HalfDoneError: 'the wallet, which undoes the transaction',
  JobCancelledError: 'render processes, which answer with a message',
  LedgerArchiveRefusedError: 'the command "vitrine ledger archive"',
  NotBegunError: 'the render pool, which renders again',
  OperatorError: 'commands',
  PagePacksSpentError: 'pages of other sites, whose own handler answers it',
  PhotoTemplateFailedError: 'the command "vitrine template from-photo"',
  PhotoTemplateRefusedError: 'the command "vitrine template from-photo"',
  PsdImportFailedError: 'the command "vitrine template import"',
  PsdImportRefusedError: 'the command "vitrine template import"',
  SandboxSilentError: 'what asks a process, and says what was not done',
  SettingsError: 'the start',
  SqliteError: 'operations: the database',
  StartRefusedError: 'the start',
  StorageUnavailableError: 'operations: the object storage',
  TurnsTakenError: 'calls of assistants, whose own handler answers it',
  UnfitSurroundingsError: 'the start',
  UnknownReservationError: 'a defect',
}

/** Every class of errors that the service's process may throw. */
function findErrorClasses(): string[] {
  return ['service/src', 'engine/src']
    .flatMap(folder =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => path.join(folder, name)),
    )
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bclass (\w+Error) extends/g)])
    .map(([, name = '']) => name)
}

test('every class of errors has its answer in the dashboard, or a reason why it needs none', () => {
  const known = [...translations.map(({ errorName }) => errorName), ...Object.keys(untranslated)]
  assert.deepEqual(new Set(known).size, known.length, 'a class is in both lists')
  const classes = findErrorClasses()
  assert.ok(classes.includes('InvalidKeyNameError'))
  // A library's own.
  assert.deepEqual(known.filter(name => name !== 'ZodError').toSorted(), [...new Set(classes)].toSorted())
})
