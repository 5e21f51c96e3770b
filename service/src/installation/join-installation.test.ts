import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createTestDatabase, describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { Instance } from '../database/instance.ts'
import { loadSettings, SettingsError } from '../settings/load-settings.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import { INSTALLATION_FILE, joinInstallation } from './join-installation.ts'

const root = await mkdtemp(path.join(os.tmpdir(), 'vitrine-join-'))
after(() => rm(root, { recursive: true, force: true }))

const makeFolder = (): Promise<string> => mkdtemp(path.join(root, 'data-'))

function join(
  database: Database,
  dataDir: string,
  {
    environment = {},
    instance = { id: 'ins_own', hasFolder: true },
  }: {
    environment?: Record<string, string>
    instance?: Pick<Instance, 'id' | 'hasFolder'>
  } = {},
): Promise<void> {
  const settings = loadSettings({ DATA_DIR: dataDir, ...environment })
  return joinInstallation({ settings, database, instance, storage: new DiskStorage(path.join(dataDir, 'objects')) })
}

describeOnBothDatabases('an installation', use => {
  const makeDatabase = async (t: { after: (end: () => Promise<void>) => void }) => {
    const { database, remove } = await createTestDatabase(use().database.kind)
    t.after(remove)
    return database
  }

  test('is recorded in the database and in every data folder that serves it', async t => {
    const database = await makeDatabase(t)
    const folders = [await makeFolder(), await makeFolder()]
    await Promise.all(folders.map(folder => join(database, folder)))
    const [one, other] = await Promise.all(
      folders.map(folder => readFile(path.join(folder, INSTALLATION_FILE), 'utf8')),
    )
    assert.match(one ?? '', /^inst_[0-9A-Za-z]{16}\n$/)
    assert.equal(one, other)
    for (const folder of folders) await join(database, folder)
  })

  test('does not use another installation’s data folder, unless that is confirmed', async t => {
    const [database, another] = [await makeDatabase(t), await makeDatabase(t)]
    const folder = await makeFolder()
    await join(database, folder)
    await new Accounts(another).create({ email: 'a@example.org' })
    await join(another, await makeFolder())
    await assert.rejects(join(another, folder), {
      name: 'DatabaseRefusedError',
      message: /^The database belongs to another installation than the data folder .*remove installation\.id from/,
    })
    await rm(path.join(folder, INSTALLATION_FILE))
    await join(another, folder)
  })

  test('does not start empty beside a data folder with data', async t => {
    const folder = await makeFolder()
    await join(await makeDatabase(t), folder)
    const empty = await makeDatabase(t)
    const refused = {
      name: 'DatabaseRefusedError',
      message: /^The database is empty, but the data folder .* holds the data/,
    }
    await assert.rejects(join(empty, folder), refused)
    // A database from before ids existed, or a copy of one, has accounts: it belongs to the folder.
    await new Accounts(empty).create({ email: 'a@example.org' })
    await join(empty, folder)
  })

  test('does not start without the objects of its templates in the configured storage', async t => {
    const database = await makeDatabase(t)
    const [folder, elsewhere] = [await makeFolder(), await makeFolder()]
    await new DiskStorage(path.join(folder, 'objects')).put('templates/oak/token/0', Uint8Array.of(1))
    await addTemplate(database, 'oak', 'templates/oak/token/')
    await join(database, folder)
    await assert.rejects(join(database, elsewhere), {
      name: 'DatabaseRefusedError',
      message:
        /^The data folder .* lacks the files of the templates that the database names, such as oak: set the S3 settings, .* or copy objects\/ of the data folder that has them\.$/,
    })
  })
})

describe('nodes on PostgreSQL', () => {
  test('start without shared settings if they are alone, as their data folder shows, and not beside another', async t => {
    const { database, remove } = await createTestDatabase('postgres')
    const folder = await makeFolder()
    await join(database, folder)
    const other = await Instance.claim(database)
    t.after(async () => {
      await other.release()
      await remove()
    })
    // The other process uses the same data folder and holds its lock.
    await join(database, folder, { instance: { id: 'ins_own', hasFolder: false } })
    const sentence = (name: string) =>
      `Expected a value for ${name}, because other nodes serve this database, but received nothing.`
    const refused = async (environment: Record<string, string>, names: string[]) =>
      assert.rejects(join(database, folder, { environment }), (error: unknown) => {
        assert.ok(error instanceof SettingsError)
        assert.deepEqual(error.problems, names.map(sentence))
        return true
      })
    const s3 = { S3_ENDPOINT: 'http://s3', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }
    const rest = { AUTH_SECRET: 'a'.repeat(32), PUBLIC_URL: 'https://example.org' }
    await refused({}, ['S3_ENDPOINT', 'AUTH_SECRET', 'PUBLIC_URL'])
    await refused(rest, ['S3_ENDPOINT'])
    await refused({ ...s3, PUBLIC_URL: rest.PUBLIC_URL }, ['AUTH_SECRET'])
    await join(database, folder, { environment: { ...s3, ...rest } })
  })

  test('do not serve an empty PostgreSQL if the data folder has an embedded database', async t => {
    const { database, remove } = await createTestDatabase('postgres')
    t.after(remove)
    const folder = await makeFolder()
    await writeFile(path.join(folder, 'vitrine.db'), '')
    await assert.rejects(join(database, folder), /^DatabaseRefusedError: The database is empty, but the data folder/)
  })
})

async function addTemplate(database: Database, id: string, objectPrefix: string): Promise<void> {
  const template = {
    id,
    owner_account_id: null,
    version: 1,
    removed_at_ms: null,
    name: id,
    name_folded: id,
    category: 'Test',
    category_folded: 'test',
    type: 'print',
    summary: '{}',
    object_prefix: objectPrefix,
    files: '[]',
    digest: '0'.repeat(64),
    thumbnail_token: 'a'.repeat(32),
    imported_at_ms: 1,
    look: null,
    size_bytes: 1,
  } as const
  await database.queries.insertInto('templates').values(template).execute()
}
