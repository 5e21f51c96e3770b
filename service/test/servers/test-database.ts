import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe } from 'node:test'
import { Client } from 'pg'
import { type Database, type DatabaseLocation, openDatabase } from '../../src/database/database.ts'
import { randomBase62 } from '../../src/database/new-id.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

export type TestDatabase = {
  readonly database: Database
  /** The same database for another process, or another connection of this one. */
  readonly location: DatabaseLocation
  readonly remove: () => Promise<void>
}

/** One server for the databases of a test file; it ends with the last of them. */
let server: Promise<TestPostgres> | null = null
let databasesOnServer = 0

/** Where a new database is, or a copy of another one with its data folder, which nothing may have open. */
export async function createTestLocation(
  kind: 'sqlite' | 'postgres',
  copied?: DatabaseLocation,
): Promise<{ readonly location: DatabaseLocation; readonly remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-database-'))
  if (copied !== undefined) await cp(copied.dataDir, dataDir, { recursive: true })
  const place = kind === 'sqlite' ? null : await createPostgresDatabase(copied?.databaseUrl)
  const remove = async (): Promise<void> => {
    await place?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { location: { dataDir, databaseUrl: place?.url }, remove }
}

/** Creates a new database, migrated by default. `remove` closes and deletes it. */
export async function createTestDatabase(
  kind: 'sqlite' | 'postgres',
  { isMigrated = true }: { isMigrated?: boolean } = {},
): Promise<TestDatabase> {
  const { location, remove } = await createTestLocation(kind)
  const database = await openDatabase(location)
  if (isMigrated) await database.migrate()
  return {
    database,
    location,
    remove: async () => {
      await database.close()
      await remove()
    },
  }
}

/**
 * Runs the same suite on each database, which share all of the service's queries. The suite gets its database
 * by `use()` inside its tests; they share it, so each test creates its own accounts.
 */
export function describeOnBothDatabases(name: string, suite: (use: () => TestDatabase) => void): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    describe(`${name}, on ${kind}`, () => {
      let created: TestDatabase | null = null
      before(async () => {
        created = await createTestDatabase(kind)
      })
      after(async () => {
        await created?.remove()
      })
      suite(() => {
        if (!created) throw new Error('the database exists inside tests only')
        return created
      })
    })
  }
}

async function createPostgresDatabase(copiedUrl?: string): Promise<{ url: string; drop: () => Promise<void> }> {
  server ??= startPostgres()
  databasesOnServer++
  const { url } = await server
  const name = `vitrine_test_${randomBase62(12).toLowerCase()}`
  const template = copiedUrl === undefined ? '' : ` template ${new URL(copiedUrl).pathname.slice(1)}`
  await runOnServer(url, `create database ${name}${template}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    await runOnServer(url, `drop database if exists ${name} with (force)`)
    databasesOnServer--
    if (databasesOnServer > 0) return
    const ending = server
    server = null
    await (await ending)?.stop()
  }
  return { url: own.href, drop }
}

async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
