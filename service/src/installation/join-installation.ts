import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../database/database.ts'
import { DatabaseRefusedError } from '../database/database-error.ts'
import { countOtherInstances, type Instance } from '../database/instance.ts'
import { randomBase62 } from '../database/new-id.ts'
import { type Settings, SettingsError } from '../settings/load-settings.ts'
import type { SettingName } from '../settings/setting-descriptors.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

/** The file in the data folder with the installation's id. */
export const INSTALLATION_FILE = 'installation.id'

/** The number of templates whose objects are checked. */
const SAMPLE_COUNT = 3

/** Settings that nodes must share, because each must serve what another one made. */
const sharedSettings = ['S3_ENDPOINT', 'AUTH_SECRET', 'PUBLIC_URL'] as const satisfies readonly SettingName[]

type Node = {
  readonly settings: Settings
  readonly database: Database
  readonly instance: Pick<Instance, 'id' | 'hasFolder'>
  readonly storage: ObjectStorage
}

/**
 * Verifies that settings, database, data folder and objects belong together. A node with only some of them
 * would serve an empty shop, or errors for what another node made.
 * @throws SettingsError, DatabaseRefusedError with sentences for the operator
 */
export async function joinInstallation(node: Node): Promise<void> {
  await assertSettingsOfSeveralNodes(node)
  await assertSameInstallation(node)
  await assertHasObjects(node)
}

async function assertSettingsOfSeveralNodes({ settings, database, instance }: Node): Promise<void> {
  const missing = sharedSettings.filter(name => settings[name] === undefined)
  if (missing.length === 0) return
  const others = await countOtherInstances(database, instance.id)
  // The process with this data folder's lock is no other node: it shares the folder's files.
  if (others <= (instance.hasFolder ? 0 : 1)) return
  throw new SettingsError(
    missing.map(name => `Expected a value for ${name}, because other nodes serve this database, but received nothing.`),
  )
}

async function assertSameInstallation({ settings, database }: Node): Promise<void> {
  const folder = path.resolve(settings.DATA_DIR)
  const file = path.join(folder, INSTALLATION_FILE)
  const ofFolder = existsSync(file) ? (await readFile(file, 'utf8')).trim() : null
  const ofDatabase = (await readInstallationId(database)) ?? (await makeInstallation(database, folder, ofFolder))
  if (ofFolder === null) return writeFile(file, `${ofDatabase}\n`, { mode: 0o600 })
  if (ofFolder === ofDatabase) return
  throw new DatabaseRefusedError(
    `The database belongs to another installation than the data folder ${folder}: set DATABASE_URL and DATA_DIR to those that belong together, or, where this is meant, remove ${INSTALLATION_FILE} from the folder.`,
  )
}

/** If several nodes start concurrently on a new database, the first decides. */
async function makeInstallation(database: Database, folder: string, ofFolder: string | null): Promise<string> {
  const account = await database.queries.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  const isOfAnother = ofFolder !== null || (database.kind === 'postgres' && existsSync(path.join(folder, 'vitrine.db')))
  if (account === undefined && isOfAnother) {
    throw new DatabaseRefusedError(
      `The database is empty, but the data folder ${folder} holds the data of an installation: set DATABASE_URL to the database of that one, or DATA_DIR to another folder.`,
    )
  }
  await database.queries
    .insertInto('installation')
    .values({ only_row: 1, id: ofFolder ?? `inst_${randomBase62(16)}` })
    .onConflict(conflict => conflict.column('only_row').doNothing())
    .execute()
  const id = await readInstallationId(database)
  if (id === null) throw new Error('Expected the installation that was just noted')
  return id
}

async function readInstallationId(database: Database): Promise<string | null> {
  const row = await database.queries.selectFrom('installation').select('id').executeTakeFirst()
  return row?.id ?? null
}

async function assertHasObjects({ settings, database, storage }: Node): Promise<void> {
  const sample = await database.queries
    .selectFrom('templates')
    .select(['id', 'object_prefix'])
    .where('removed_at_ms', 'is', null)
    .orderBy('imported_at_ms', 'desc')
    .limit(SAMPLE_COUNT)
    .execute()
  const [first] = sample
  if (first === undefined) return
  for (const { object_prefix } of sample) if ((await storage.list(object_prefix)).length > 0) return
  const { S3_BUCKET } = settings
  const [place, remedy] =
    S3_BUCKET === undefined
      ? [`The data folder ${path.resolve(settings.DATA_DIR)}`, 'set the S3 settings, which several nodes need, or copy']
      : [`The bucket ${S3_BUCKET}`, 'start without the S3 settings, or upload']
  throw new DatabaseRefusedError(
    `${place} lacks the files of the templates that the database names, such as ${first.id}: ${remedy} objects/ of the data folder that has them.`,
  )
}
