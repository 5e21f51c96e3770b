import assert from 'node:assert/strict'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/**
 * The columns that differ between a table's rows; numbers are counted up, texts get a number appended.
 * `null`: accounts' lists do not read the table. A table that is missing here fails the test.
 */
const differing: Readonly<Record<string, readonly string[] | null>> = {
  accounts: ['id', 'email', 'email_key'],
  api_keys: ['id', 'key_hash'],
  audit_events: ['sequence'],
  credit_days: ['key_id'],
  first_run_claims: null,
  first_run_steps: null,
  idempotency_keys: null,
  installation: null,
  instances: null,
  leases: null,
  ledger_entries: ['sequence', 'id', 'external_id'],
  payments: ['id'],
  // As many as the largest file has.
  psd_import_parts: null,
  psd_imports: ['id'],
  publishable_keys: ['id', 'key_text'],
  rate_windows: null,
  request_log: ['request_id'],
  reservations: ['id'],
  schema_migrations: null,
  saved_answers: null,
  sealed_balances: null,
  sealed_credits: null,
  sealed_external_ids: null,
  sign_in_credentials: null,
  sign_in_second_factors: null,
  sign_in_sessions: ['id', 'token'],
  sign_in_users: null,
  sign_in_verifications: null,
  stored_mockups: ['id', 'picture_key', 'object'],
  // Below MARKS_PER_ACCOUNT.
  template_marks: null,
  template_remains: null,
  // At most VERSIONS_RETAINED per template.
  template_versions: null,
  templates: ['id', 'template_id', 'object_prefix', 'thumbnail_token'],
  usage_days: ['key_id'],
  usage_failures: ['key_id'],
  usage_sums: null,
  // Its trigger updates the sums.
  usage_templates: ['template_id'],
  proof_answers: ['id'],
  proof_rooms: null,
  proof_stills: null,
  wallets: ['account_id'],
  proofs: ['id', 'token'],
}

/** The rows to copy, if not just any of the account's. */
const models: Readonly<Record<string, string>> = {
  ledger_entries: "kind = 'grant'",
  // Shared ones: those of an account have a quota.
  templates: 'owner_account_id is null',
}

/**
 * Copies rows of an account until every table that a list reads has this many. The account must have one row
 * of each kind.
 */
export async function makeLongTables(dataDir: string, accountId: string, rows: number): Promise<void> {
  using database = new DatabaseSync(path.join(dataDir, 'vitrine.db'), {
    enableForeignKeyConstraints: false,
    timeout: 0,
  })
  await beginAlone(database)
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name))
  assert.deepEqual(tables, Object.keys(differing).sort())
  for (const table of tables) {
    const columns = differing[table] ?? null
    if (columns !== null) multiply(database, { table, columns, accountId, rows })
  }
  database.exec('commit')
}

/**
 * Begins to write when nobody else does. Transactions of a service in this process continue between the
 * attempts: SQLite's own wait would block the thread that they need.
 */
async function beginAlone(database: DatabaseSync): Promise<void> {
  for (;;) {
    try {
      database.exec('begin immediate')
      return
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
      await wait(5)
    }
  }
}

type Copies = {
  readonly table: string
  /** The differing columns. */
  readonly columns: readonly string[]
  readonly accountId: string
  readonly rows: number
}

function multiply(database: DatabaseSync, { table, columns: differing, accountId, rows }: Copies): void {
  const columns = database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map(({ name, type }) => ({ name: String(name), isText: String(type).toLowerCase() === 'text' }))
  const isOfAccount = columns.some(({ name }) => name === 'account_id') ? `account_id = '${accountId}'` : 'true'
  const model = `select * from ${table} where ${isOfAccount} and ${models[table] ?? 'true'} order by 1 desc limit 1`
  assert.ok(database.prepare(model).get(), `${table} has a row to copy`)
  const values = columns.map(({ name, isText }) => {
    if (!differing.includes(name)) return `model.${name}`
    return isText ? `model.${name} || '-' || counted.value` : `(select max(${name}) from ${table}) + counted.value`
  })
  database.exec(`
    with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ${rows})
    insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')} from (${model}) model, counted`)
}
