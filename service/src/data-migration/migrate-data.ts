import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type LedgerReport, verifyLedger } from '../credits/verify-ledger.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { holdUnserved } from '../database/instance.ts'
import { INSTALLATION_FILE } from '../installation/join-installation.ts'
import type { Settings } from '../settings/load-settings.ts'
import { AUTH_SECRET_FILE } from '../sign-in/auth-secret.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { type CopiedObjects, copyObjects } from './copy-objects.ts'
import {
  copyTables,
  digestTables,
  findDifference,
  isWithoutInstallation,
  lockTables,
  type TableDigests,
} from './copy-tables.ts'
import { DataMigrationRefusedError } from './data-migration-refused-error.ts'
import type { Side } from './table-columns.ts'

export type DataMigration = {
  readonly tables: TableDigests
  readonly objects: CopiedObjects
  readonly ledger: LedgerReport
  /** Whether the target already had all rows, from an earlier attempt. */
  readonly wasThere: boolean
}

/**
 * Copies an installation that is not being served from the locations in one set of settings to those in
 * another. The source is only read. The objects are copied first, and each is read back; then all rows in one
 * transaction, which compares both sides before it commits, so that a target with rows is complete. The call
 * can be repeated after an interruption.
 *
 * @throws DataMigrationRefusedError
 */
export async function migrateData(source: Database, from: Settings, to: Settings): Promise<DataMigration> {
  assertOtherPlace(from, to)
  using _source = await holdUnserved(source)
  await assertSameSecret(from, to)
  await assertFolderIsFree(from, to)
  const target = await openDatabase({ databaseUrl: to.DATABASE_URL, dataDir: to.DATA_DIR })
  try {
    using _target = await holdUnserved(target)
    await target.migrate()
    await assertTargetIsFree(source, target)
    const objects = await moveObjects(from, to)
    const rows = await moveRows(source, target)
    await copySecret(from, to)
    return { ...rows, objects }
  } finally {
    await target.close()
  }
}

/** Checked before anything is copied, so that no objects are left in another installation's storage. */
async function assertTargetIsFree(source: Database, target: Database): Promise<void> {
  await source.longSnapshot(async from => {
    await target.longSnapshot(async to => {
      const sides = { from: { kind: source.kind, transaction: from }, to: { kind: target.kind, transaction: to } }
      if (!(await isWithoutInstallation(sides.to))) await compareRows(sides.from, sides.to)
    })
  })
}

async function compareRows(from: Side, to: Side): Promise<TableDigests> {
  const expected = await digestTables(from, to)
  const difference = findDifference(expected, await digestTables(to, from))
  if (difference === null) return expected
  throw new DataMigrationRefusedError(
    `The database of the target is not empty, and its table ${difference} is not that of the source: name an empty database.`,
  )
}

async function moveRows(source: Database, target: Database): Promise<Omit<DataMigration, 'objects'>> {
  return target.longTransaction(async transaction => {
    const to = { kind: target.kind, transaction }
    await lockTables(to)
    const wasThere = !(await isWithoutInstallation(to))
    if (!wasThere) await source.longSnapshot(snapshot => copyTables({ kind: source.kind, transaction: snapshot }, to))
    // A second snapshot: if a command wrote to the source meanwhile, the comparison fails.
    return source.longSnapshot(async snapshot => {
      const tables = await compareRows({ kind: source.kind, transaction: snapshot }, to)
      const ledger = await verifyLedger(snapshot)
      if (ledger.violations.length > 0 || !isDeepStrictEqual(ledger, await verifyLedger(transaction))) {
        throw new DataMigrationRefusedError(
          'The ledger does not agree with itself: "vitrine ledger verify" says where. Nothing was moved.',
        )
      }
      return { tables, ledger, wasThere }
    })
  })
}

async function moveObjects(from: Settings, to: Settings): Promise<CopiedObjects> {
  const storage = openObjectStorage(from)
  if (placeOfObjects(from) !== placeOfObjects(to)) return copyObjects(storage, openObjectStorage(to))
  const listed = await storage.list('')
  return { objects: listed.length, copied: 0, sizeBytes: listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

const placeOfObjects = ({ S3_ENDPOINT, S3_BUCKET, S3_KEY_PREFIX, DATA_DIR }: Settings): string =>
  JSON.stringify(S3_ENDPOINT === undefined ? path.resolve(DATA_DIR) : [S3_ENDPOINT, S3_BUCKET, S3_KEY_PREFIX])

const placeOfRows = ({ DATABASE_URL, DATA_DIR }: Settings): string => DATABASE_URL ?? path.resolve(DATA_DIR)

function assertOtherPlace(from: Settings, to: Settings): void {
  if (placeOfRows(from) !== placeOfRows(to)) return
  throw new DataMigrationRefusedError(
    'The target names the database that the data is in: set DATABASE_URL, or another DATA_DIR, in the file of the target.',
  )
}

/** Otherwise the target's folder would serve its own installation, or refuse to serve this one. */
async function assertFolderIsFree(from: Settings, to: Settings): Promise<void> {
  const [ofSource, ofTarget] = await Promise.all([from, to].map(each => readIfThere(each, INSTALLATION_FILE)))
  if (ofTarget === null || ofTarget === ofSource) return
  throw new DataMigrationRefusedError(
    `The data folder ${path.resolve(to.DATA_DIR)} of the target belongs to another installation: name one that is not there yet in DATA_DIR.`,
  )
}

/** It encrypts second factors and signs sessions. */
async function assertSameSecret(from: Settings, to: Settings): Promise<void> {
  const [ofSource, ofTarget] = await Promise.all([from, to].map(readSecret))
  if (ofSource === null || ofTarget === null || ofSource === ofTarget) return
  const [place, received] = [from, to].map(({ AUTH_SECRET, DATA_DIR }) =>
    AUTH_SECRET === undefined ? `that of ${path.resolve(DATA_DIR, AUTH_SECRET_FILE)}` : 'that of AUTH_SECRET',
  )
  throw new DataMigrationRefusedError(
    `Expected the secret of the source for the target (${place}), because second factors are encrypted with it, but received another (${received}): set the same AUTH_SECRET in the file of the target.`,
  )
}

/** If the target's settings have no secret, stores the source's in its data folder. */
async function copySecret(from: Settings, to: Settings): Promise<void> {
  const secret = await readSecret(from)
  if (secret === null || (await readSecret(to)) !== null) return
  await mkdir(to.DATA_DIR, { recursive: true, mode: 0o700 })
  await writeFile(path.join(to.DATA_DIR, AUTH_SECRET_FILE), secret, { mode: 0o600, flush: true })
}

async function readSecret(settings: Settings): Promise<string | null> {
  return settings.AUTH_SECRET ?? readIfThere(settings, AUTH_SECRET_FILE)
}

async function readIfThere({ DATA_DIR }: Settings, name: string): Promise<string | null> {
  const file = path.join(DATA_DIR, name)
  return existsSync(file) ? readFile(file, 'utf8') : null
}
