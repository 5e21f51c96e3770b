import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { archiveLedger } from '../../src/credits/archive-ledger.ts'
import { endOfMonth } from '../../src/credits/closed-months.ts'
import { copiedTables } from '../../src/data-migration/copied-tables.ts'
import { openDatabase } from '../../src/database/database.ts'
import { DiskStorage } from '../../src/storage/disk-storage.ts'
import { startPostgres, type TestPostgres } from '../servers/postgres.ts'
import { s3Settings, startS3, type TestS3 } from '../servers/s3.ts'
import { createTestDatabase } from '../servers/test-database.ts'
import { balance, generate } from './api-calls.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { runHere } from './run-here.ts'
import { launcher, type Ran, repository } from './run-vitrine.ts'
import { startVitrine, type VitrineServer } from './vitrine-server.ts'

const USAGE_ROWS = 30_000
const EXTRA_OBJECTS = 300
const SECRET = 'made-at-the-first-start-of-this-installation'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-migrate-data-'))
const servers: VitrineServer[] = []
let postgres: TestPostgres
let s3: TestS3
after(async () => {
  await Promise.all(servers.map(server => server.stop('SIGKILL')))
  await postgres.stop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

type Environment = Readonly<Record<string, string>>

let key = ''
let embedded: Environment = {}
let shared: Environment = {}

before(async () => {
  postgres = await startPostgres()
  s3 = await startS3()
  const made = await makeData(folder)
  key = made.key
  embedded = { DATA_DIR: made.dataDir }
  shared = {
    DATABASE_URL: await makeDatabase('shared'),
    DATA_DIR: path.join(folder, 'of-the-node'),
    ...s3Settings(s3),
  }
  await writeFile(path.join(made.dataDir, 'auth-secret'), SECRET, { mode: 0o600 })
  await fillEveryTable(made.dataDir)
  const objects = new DiskStorage(path.join(made.dataDir, 'objects'))
  await mkdir(path.join(made.dataDir, 'objects'), { recursive: true })
  await archiveGift(made.dataDir, objects)
  for (let index = 0; index < EXTRA_OBJECTS; index++) await objects.put(`answers/${index}`, Buffer.from(`${index}`))
})

/** The only entry there is. */
async function archiveGift(dataDir: string, objects: DiskStorage): Promise<void> {
  const database = await openDatabase({ dataDir })
  const nowMs = Date.now()
  const { entries } = await archiveLedger(database, objects, { beforeMs: endOfMonth(nowMs), nowMs })
  assert.equal(entries, 1)
  await database.close()
}

async function makeDatabase(name: string): Promise<string> {
  await onPostgres(postgres.url, `create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = name
  return url.href
}

async function onPostgres(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}

/** Rows with flags, moments and nulls, which the two databases store differently. */
async function fillEveryTable(dataDir: string): Promise<void> {
  const database = new DatabaseSync(path.join(dataDir, 'vitrine.db'))
  const at = "'2026-01-02T03:04:05.678Z'"
  database.exec(`begin;
    insert into sign_in_users select id, 'Überall "Shop" \\ x', email, 1, null, 0, ${at}, ${at} from accounts;
    insert into sign_in_sessions select 'ses', 'token', id, ${at}, null, 'Firefox 🦊', ${at}, ${at} from accounts;
    insert into sign_in_credentials (id, account_id, provider_id, user_id, password, created_at, updated_at)
      select 'cre', id, 'credential', id, 'hash', ${at}, ${at} from accounts;
    insert into sign_in_verifications values ('ver', 'what', 'whose', ${at}, ${at}, ${at});
    insert into sign_in_second_factors (id, secret, backup_codes, user_id, verified)
      select 'sec', 'secret', 'codes', id, null from accounts;
    insert into payments (id, account_id, credits, price_cents, created_at_ms)
      select 'pay', id, 100, 999, 1 from accounts;
    insert into audit_events (at_ms, account_id, actor, action, outcome)
      select unixepoch() * 1000, id, 'operator', 'grant', 'ok' from accounts;
    insert into template_remains (object_prefix, since_ms) values ('templates/gone/', 1);
    insert into rate_windows values ('someone', 60, 1, 2, 3);
    insert into usage_days select id, 'key', '2026-01-02', 3, 2, 1 from accounts;
    insert into usage_failures select id, 'key', '2026-01-02', 'NOT_FOUND', 1 from accounts;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${USAGE_ROWS})
      insert into usage_templates select accounts.id, 'key', '2026-01-02', 't-' || n, n from accounts, numbers;
    commit`)
  database.close()
}

async function start(environment: Environment): Promise<VitrineServer> {
  const server = await startVitrine(environment)
  servers.push(server)
  return server
}

async function settingsFile(name: string, settings: Environment): Promise<string> {
  const file = path.join(folder, `${name}.env`)
  await writeFile(
    file,
    Object.entries(settings)
      .map(([each, value]) => `${each}=${value}\n`)
      .join(''),
  )
  return file
}

async function migrate(from: Environment, to: string): Promise<Ran> {
  return runHere(['migrate-data', '--to', to, '--json'], from)
}

function startMigration(from: Environment, to: string): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...from }
  // In a separate process group, so that the launcher and the program end together.
  return spawn(launcher, ['migrate-data', '--to', to], { cwd: repository, env, stdio: 'ignore', detached: true })
}

async function killWhen(child: ChildProcess, isReached: () => Promise<boolean>): Promise<void> {
  const ended = once(child, 'close')
  while (!(await isReached())) {
    assert.equal(child.exitCode, null, 'it ended before it was killed')
    await setTimeout(2)
  }
  assert.ok(child.pid !== undefined)
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

async function mockup(server: VitrineServer): Promise<Uint8Array> {
  const response = await generate(server, key, SMALL_TEMPLATE_ID)
  assert.equal(response.status, 200)
  return new Uint8Array(await response.arrayBuffer())
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`every table of ${kind} is either copied or listed as not copied`, async () => {
    const { database, remove } = await createTestDatabase(kind)
    const { rows } =
      kind === 'sqlite'
        ? await sql<{ name: string }>`select name from sqlite_schema where type = 'table'
            and name not like 'sqlite~_%' escape '~'`.execute(database.queries)
        : await sql<{ name: string }>`select relname as name from pg_class where relkind in ('r', 'p')
            and not relispartition and relnamespace = current_schema()::regnamespace`.execute(database.queries)
    await remove()
    assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(copiedTables).sort())
  })
}

describe('refused before anything is copied:', () => {
  test('a target that is the source, a missing file, and invalid settings', async () => {
    const refusals: readonly (readonly [string, RegExp])[] = [
      [await settingsFile('same', embedded), /the database that the data is in/],
      [path.join(folder, 'nowhere.env'), /nowhere\.env.*ENOENT/],
      [await settingsFile('wrong', { S3_BUCKET: 'alone' }), /S3_ENDPOINT/],
    ]
    for (const [file, sentence] of refusals) {
      const { code, stderr } = await migrate(embedded, file)
      assert.equal(code, 1)
      assert.match(stderr, sentence)
    }
  })

  test('a running service, on either side', async () => {
    const to = await settingsFile('shared', shared)
    const server = await start(embedded)
    const refused = await migrate(embedded, to)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /already serves the data folder/)
    await server.stop()

    const url = await makeDatabase('served')
    const other = await makeData(path.join(folder, 'other'), url)
    const serving = await start({ DATABASE_URL: url, DATA_DIR: other.dataDir })
    const target = await settingsFile('served', { DATABASE_URL: url, DATA_DIR: path.join(folder, 'unused') })
    assert.match((await migrate(embedded, target)).stderr, /served by 1 process/)
    await serving.stop()
    // The rows of another installation.
    assert.match((await migrate(embedded, target)).stderr, /not empty, and its table installation/)
  })

  test('a bucket with other objects, and a secret that cannot decrypt second factors', async () => {
    const others = new Map([['/others/strange', { body: Buffer.from('x'), type: 'text/plain' }]])
    for (const [name, stored] of others) s3.objects.set(name, stored)
    const bucket = await settingsFile('others', { ...shared, S3_BUCKET: 'others' })
    assert.match((await migrate(embedded, bucket)).stderr, /not empty: it holds strange/)
    const secret = await settingsFile('secret', { ...shared, AUTH_SECRET: 'x'.repeat(32) })
    assert.match((await migrate(embedded, secret)).stderr, /second factors are encrypted/)
    assert.equal([...s3.objects.keys()].filter(name => name.startsWith('/bucket/')).length, 0)
  })
})

test('a migration that is killed twice is resumed; the target, and then the way back, serve the same shop', async () => {
  const to = await settingsFile('shared', shared)
  const copiedObjects = () => [...s3.objects.keys()].filter(name => name.startsWith('/bucket/')).length
  const accounts = async () => (await onPostgres(shared['DATABASE_URL'] ?? '', 'select id from accounts')).length

  await killWhen(startMigration(embedded, to), async () => copiedObjects() >= 30)
  assert.ok(copiedObjects() < EXTRA_OBJECTS, 'it was killed among the objects')
  const whileInserting = `select 1 from pg_stat_activity where application_name = 'vitrine operator'
    and query like 'insert into "usage_templates"%'`
  // One connection for all looks: each new one starts a process of the database.
  const watcher = new Client({ connectionString: shared['DATABASE_URL'] ?? '' })
  await watcher.connect()
  await killWhen(startMigration(embedded, to), async () => (await watcher.query(whileInserting)).rows.length > 0)
  await watcher.end()
  assert.equal(await accounts(), 0, 'either all rows are there or none')

  const moved = await migrate(embedded, to)
  assert.equal(moved.code, 0, moved.stderr)
  assert.deepEqual([moved.json['objects_copied'], moved.json['was_there'], moved.json['violations']], [0, false, 0])
  assert.ok(Number(moved.json['objects']) > EXTRA_OBJECTS)
  assert.ok(Number(moved.json['rows']) > USAGE_ROWS)
  const again = await migrate(embedded, to)
  assert.deepEqual([again.code, again.json['was_there'], again.json['tables']], [0, true, moved.json['tables']])
  const [user] = await onPostgres(shared['DATABASE_URL'] ?? '', 'select * from sign_in_users')
  assert.deepEqual(
    [user?.['name'], user?.['email_verified'], user?.['two_factor_enabled'], user?.['created_at']],
    ['Überall "Shop" \\ x', true, false, new Date('2026-01-02T03:04:05.678Z')],
  )
  assert.equal(await readFile(path.join(shared['DATA_DIR'] ?? '', 'auth-secret'), 'utf8'), SECRET)

  const server = await start(shared)
  assert.equal(await balance(server, key), 1000)
  const original = await mockup(server)
  await server.stop()
  assert.equal((await runHere(['ledger', 'verify', '--json'], shared)).json['violations'], 0)
  // It has been used since, so the source is no longer a copy of it.
  assert.match((await migrate(embedded, to)).stderr, /not empty, and its table/)

  const back: Environment = { DATA_DIR: path.join(folder, 'back') }
  const returned = await migrate(shared, await settingsFile('back', back))
  assert.equal(returned.code, 0, returned.stderr)
  assert.equal(returned.json['violations'], 0)
  const home = await start(back)
  assert.equal(await balance(home, key), 999)
  assert.deepEqual(await mockup(home), original)
  await home.stop()
  const { json } = await runHere(['ledger', 'verify', '--archives', '--json'], back)
  assert.deepEqual([json['violations'], json['spendable_credits'], json['archived_entries']], [0, 998, 1])
})
