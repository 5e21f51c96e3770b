import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { TestDatabase } from '../test/servers/test-database.ts'
import { usageSumsOfHistory } from '../test/usage-sums.ts'

/** `kept` counts the kept answers: 1,000 for each account, as many as it may have. */
export type LargeDataSize = { readonly templates: number; readonly entries: number; readonly kept: number }

export const LARGE_ACCOUNT = 'acc_bench_0'
/** An account without templates of its own. */
export const SMALL_ACCOUNT = 'acc_bench_1'

const KEYS_OF_LARGE = 50
const DAYS = 365
const DAY_MS = 86_400_000
const TEMPLATES_USED = 2_000
const OWN_TEMPLATES = 300
/** A payment that covers all mockups of an account. */
const CREDITS = 1_000_000_000

/** Runs statements as the database's owner, without its triggers, foreign keys and time limits. */
type Owner = {
  readonly run: (sql: string) => Promise<void>
  /** Runs `fill` while the tables have no indexes but those of their constraints. */
  readonly withoutIndexes: (tables: readonly string[], fill: () => Promise<void>) => Promise<void>
  readonly close: () => Promise<void>
}

/** Fills an empty database that is migrated. */
export async function makeLargeData({ database, location }: TestDatabase, size: LargeDataSize): Promise<void> {
  const { kind } = database
  const owner = kind === 'sqlite' ? openSqlite(location.dataDir) : await openPostgres(location.databaseUrl ?? '')
  const accounts = Math.max(100, Math.ceil(size.kept / 1_000))
  const numbers = (name: string, count: number): string =>
    kind === 'sqlite'
      ? `(with recursive n(${name}) as (select 0 union all select ${name} + 1 from n where ${name} < ${count - 1}) select ${name} from n)`
      : `(select generate_series(0::bigint, ${count - 1}::bigint) as ${name})`
  // Spread as random ids are, and the same on both.
  const id = (number: string): string =>
    kind === 'sqlite'
      ? `printf('%08x%014x', (${number} * 2654435761) & 4294967295, ${number})`
      : `lpad(to_hex((${number} * 2654435761) & 4294967295), 8, '0') || lpad(to_hex(${number}), 14, '0')`
  const dayOf = (ms: string): string =>
    kind === 'sqlite'
      ? `date((${ms}) / 1000, 'unixepoch')`
      : `to_char(to_timestamp((${ms}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')`
  const firstMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS
  const mockups = Math.floor(size.entries / 2)
  const spacingMs = Math.max(1, Math.floor((Date.now() - firstMs) / (mockups + 1)))
  const account = `case when i % 5 < 2 then '${LARGE_ACCOUNT}' else 'acc_bench_' || (1 + i % ${accounts - 1}) end`
  const key = `case when i % 5 < 2 then 'key_bench_0_' || (i / 5 % ${KEYS_OF_LARGE}) else 'key_bench_' || (1 + i % ${accounts - 1}) || '_0' end`
  const isReleased = 'i % 50 = 3'

  await owner.run(`insert into accounts (id, email, email_key, role, created_at_ms)
    select 'acc_bench_' || i, 'a' || i || '@example.com', 'a' || i || '@example.com', 'customer', ${firstMs}
    from ${numbers('i', accounts)} as n`)
  await owner.run(`insert into api_keys (id, account_id, name, key_hash, display, created_at_ms)
    select 'key_bench_' || i || '_' || k, 'acc_bench_' || i, 'Key ' || k, 'hash ' || i || ' ' || k, 'vt_0000', ${firstMs}
    from ${numbers('i', accounts)} as n cross join ${numbers('k', KEYS_OF_LARGE)} as m where i = 0 or k = 0`)
  await fillTemplates()
  await fillLedger()
  await fillUsage()
  await owner.run(`insert into idempotency_keys (account_id, idempotency_key, request_hash, state, instance_id,
      body_object_key, answer, size_bytes, created_at_ms, finished_at_ms)
    select 'acc_bench_' || (i / 1000), 'order-' || ${id('i')}, 'hash', 'finished', 'ins_bench', 'answers/' || i,
      '{"contentType":"image/jpeg","templateId":"bench-1","durationMs":40}', 50000, ${Date.now()} - i % 80000000,
      ${Date.now()} - i % 80000000
    from ${numbers('i', size.kept)} as n`)
  await owner.run(`insert into saved_answers (account_id, answers, size_bytes)
    select account_id, count(*), sum(size_bytes) from idempotency_keys group by account_id`)
  await owner.run(kind === 'sqlite' ? 'analyze' : 'vacuum analyze')
  await owner.close()

  async function fillTemplates(): Promise<void> {
    const columns = `id, template_id, owner_account_id, version, name, name_folded, category, category_folded, type,
      summary, object_prefix, files, digest, thumbnail_token, imported_at_ms, size_bytes`
    const files = JSON.stringify(Array.from({ length: 18 }, (_, i) => `layers/layer-number-${i}-of-this-bundle.png`))
    // SQLite joins texts before it multiplies.
    const [name, category] = [`'Frame ' || (i * 7919 % 100003) || ' in the hall'`, `'Category ' || (i % 40)`]
    const type = `case when i % 3 = 0 then 'product' else 'print' end`
    const summaryOf = (templateId: string) => `'{"id":"' || ${templateId} || '","name":"' || ${name} ||
      '","category":"' || ${category} || '","type":"' || ${type} || '","surfaceType":null,"renderMode":"corners",' ||
      '"blendMode":"multiply","aspectRatios":[0.6667],"slots":[],"colors":[],"sharesBundle":false}'`
    const ownId = `case when i % 3 = 0 then 'bench-' || i else 'own-' || i end`
    const rest = (prefix: string, templateId: string) => `1, ${name}, 'frame ' || (i * 7919 % 100003) || ' in the hall',
      ${category}, 'category ' || (i % 40), ${type}, ${summaryOf(templateId)}, '${prefix}' || i || '/', '${files}', 'digest', '${prefix}' || i, ${firstMs} + i * 1000, 800000`
    await owner.run(`insert into templates (${columns}) select 'bench-' || i, null, null, ${rest('shared', `'bench-' || i`)}
      from ${numbers('i', size.templates)} as n`)
    // A third of them has the id of a shared one.
    await owner.run(`insert into templates (${columns}) select 'tpl_bench_' || i,
      ${ownId}, '${LARGE_ACCOUNT}', ${rest('own', ownId)}
      from ${numbers('i', OWN_TEMPLATES)} as n`)
  }

  async function fillLedger(): Promise<void> {
    await owner.run(`insert into wallets (account_id, granted, purchased, spendable, reserved, consumed)
      select id, ${CREDITS}, 0, ${CREDITS}, 0, 0 from accounts`)
    await owner.withoutIndexes(['reservations', 'ledger_entries'], async () => {
      await owner.run(`insert into ledger_entries (id, account_id, kind, debit_book, credit_book, credits, created_at_ms)
        select 'ent_grant_' || id, id, 'grant', 'granted', 'spendable', ${CREDITS}, ${firstMs} from accounts`)
      await owner.run(`insert into reservations (id, account_id, key_id, request_id, credits, refunded, state, instance_id,
          created_at_ms, expires_at_ms, resolved_at_ms)
        select 'res_' || ${id('i')}, ${account}, ${key}, 'req_' || ${id('i')}, 1, 0,
          case when ${isReleased} then 'released' else 'settled' end, 'ins_bench',
          ${firstMs} + i * ${spacingMs}, ${firstMs} + i * ${spacingMs} + 90000, ${firstMs} + i * ${spacingMs}
        from ${numbers('i', mockups)} as n`)
      await owner.run(`insert into ledger_entries (id, account_id, kind, debit_book, credit_book, credits, reservation_id,
          created_at_ms)
        select 'ent_' || ${id('(2 * i + part)')}, ${account},
          case when part = 0 then 'reserve' when ${isReleased} then 'release' else 'settle' end,
          case part when 0 then 'spendable' else 'reserved' end,
          case when part = 0 then 'reserved' when ${isReleased} then 'spendable' else 'consumed' end,
          1, 'res_' || ${id('i')}, ${firstMs} + i * ${spacingMs}
        from ${numbers('i', mockups)} as n cross join ${numbers('part', 2)} as p order by i, part`)
    })
    await owner.run(`insert into credit_days (account_id, key_id, day, consumed, refunded)
      select account_id, key_id, ${dayOf('resolved_at_ms')}, sum(case state when 'settled' then 1 else 0 end),
        sum(case state when 'settled' then 0 else 1 end)
      from reservations group by 1, 2, 3`)
    await owner.run(`update wallets set spendable = ${CREDITS} - days.consumed, consumed = days.consumed
      from (select account_id, sum(consumed) as consumed from credit_days group by account_id) as days
      where days.account_id = wallets.account_id`)
  }

  async function fillUsage(): Promise<void> {
    const perDay = Math.max(2, Math.round((40 * size.entries) / 10_000_000))
    const day = dayOf(`${firstMs} + d * ${DAY_MS}`)
    const keyDays = `${numbers('d', DAYS)} as days cross join ${numbers('k', KEYS_OF_LARGE)} as keys`
    const others = `${numbers('d', DAYS)} as days cross join ${numbers('a', accounts - 1)} as others`
    for (const [who, from] of [
      [`'${LARGE_ACCOUNT}', 'key_bench_0_' || k`, keyDays],
      [`'acc_bench_' || (a + 1), 'key_bench_' || (a + 1) || '_0'`, others],
    ] as const) {
      await owner.run(`insert into usage_days (account_id, key_id, day, total, successful, failed${kind === 'sqlite' ? '' : ', credits_consumed, credits_refunded'})
        select ${who}, ${day}, 45, 40, 5${kind === 'sqlite' ? '' : ', 0, 0'} from ${from}`)
      await owner.run(`insert into usage_failures (account_id, key_id, day, code, count)
        select ${who}, ${day}, 'ARTWORK_DOWNLOAD_FAILED', 5 from ${from}`)
    }
    await owner.run(`insert into usage_templates (account_id, key_id, day, template_id, count)
      select '${LARGE_ACCOUNT}', 'key_bench_0_' || k, ${day}, 'bench-' || ((d * 7919 + k * 104729 + t * 31) % ${TEMPLATES_USED}), 1
      from ${keyDays} cross join ${numbers('t', perDay)} as used`)
    await owner.run(`insert into usage_templates (account_id, key_id, day, template_id, count)
      select 'acc_bench_' || (a + 1), 'key_bench_' || (a + 1) || '_0', ${day}, 'bench-' || (d * 31 + a + t), 1
      from ${others} cross join ${numbers('t', 2)} as used`)
    for (const statement of usageSumsOfHistory) await owner.run(statement)
  }
}

function openSqlite(dataDir: string): Owner {
  const file = new DatabaseSync(path.join(dataDir, 'vitrine.db'), { enableForeignKeyConstraints: false })
  file.exec('pragma synchronous = off; pragma cache_size = -500000; pragma temp_store = memory')
  type Made = { readonly type: string; readonly name: string; readonly sql: string }
  // The columns that the statement names.
  const triggers = file.prepare("select type, name, sql from sqlite_master where type = 'trigger'").all() as Made[]
  for (const { name } of triggers) file.exec(`drop trigger ${name}`)
  return {
    run: async sql => file.exec(sql),
    async withoutIndexes(tables, fill) {
      const names = tables.map(name => `'${name}'`).join(', ')
      const statement = `select type, name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${names})`
      // The columns that the statement names.
      const indexes = file.prepare(statement).all() as Made[]
      for (const { name } of indexes) file.exec(`drop index ${name}`)
      await fill()
      for (const { sql } of indexes) file.exec(sql)
    },
    async close() {
      for (const { sql } of triggers) file.exec(sql)
      file.close()
    },
  }
}

async function openPostgres(url: string): Promise<Owner> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // No triggers and foreign keys.
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
  )
  const run = async (sql: string) => void (await client.query(sql))
  return {
    run,
    async withoutIndexes(tables, fill) {
      const { rows } = await client.query<{ name: string; sql: string }>(
        `select indexname as name, indexdef as sql from pg_indexes where tablename = any($1)
          and not exists (select 1 from pg_constraint where conname = indexname)`,
        [tables],
      )
      for (const { name } of rows) await run(`drop index ${name}`)
      await fill()
      for (const { sql } of rows) await run(sql)
    },
    close: () => client.end(),
  }
}
