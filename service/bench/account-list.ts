/**
 * The operators' list of many accounts, on both databases: a page in each order, and the file of all. Says
 * how long other reads wait meanwhile.
 *
 *   node service/bench/account-list.ts [--accounts 100000] [--database sqlite]
 *
 * Each account has a key; a fifth of them made mockups on each of the last 60 days and has 20 listed
 * requests, two fifths made some on two days, and the others none.
 */
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { Accounts } from '../src/accounts/accounts.ts'
import { ApiKeys } from '../src/api-keys/api-keys.ts'
import { Wallet } from '../src/credits/wallet.ts'
import { AccountDirectory } from '../src/dashboard/account-directory.ts'
import type { Database } from '../src/database/database.ts'
import { RequestLog } from '../src/usage/request-log.ts'
import { Usage } from '../src/usage/usage.ts'
import { DAY_MS, utcDay } from '../src/usage/utc-day.ts'
import { createTestDatabase } from '../test/servers/test-database.ts'

const { values } = parseArgs({
  options: { accounts: { type: 'string', default: '100000' }, database: { type: 'string' } },
})
const count = Number(values.accounts)
const DAYS = 60
const REQUESTS = 20
/** PostgreSQL ends a statement after 10 s. */
const ACCOUNTS_PER_STATEMENT = 5_000

async function fill({ queries, kind }: Database): Promise<void> {
  const nowMs = Date.now()
  const numbers = (name: string, from: number, below: number) =>
    sql.raw(
      kind === 'sqlite'
        ? `(with recursive n(${name}) as (select ${from} union all select ${name} + 1 from n where ${name} < ${below - 1}) select ${name} from n)`
        : `(select generate_series(${from}::bigint, ${below - 1}::bigint) as ${name})`,
    )
  const days = sql.join(
    Array.from({ length: DAYS }, (_, i) => sql`(${sql.raw(String(i))}, ${sql.lit(utcDay(nowMs - i * DAY_MS))})`),
  )
  const id = sql`'acc_' || (i * 7919 % 1000003) || '_' || i`
  for (let from = 0; from < count; from += ACCOUNTS_PER_STATEMENT) {
    const accounts = sql`${numbers('i', from, Math.min(count, from + ACCOUNTS_PER_STATEMENT))} as accounts`
    const active = sql`${accounts} join (select column1 as d, column2 as day from (values ${days}) as listed) as days
      on i % 5 = 0 or i % 5 < 3 and d in (i % 40, i % 50 + 3)`
    for (const statement of [
      sql`insert into accounts (id, email, email_key, role, created_at_ms)
        select ${id}, 'shop-' || i || '@example.com', 'shop-' || i || '@example.com', 'customer', ${sql.lit(nowMs)} - i
        from ${accounts}`,
      sql`insert into wallets (account_id, granted, purchased, spendable, reserved, consumed)
        select ${id}, i % 1000, 0, i % 1000, 0, 0 from ${accounts}`,
      sql`insert into api_keys (id, account_id, name, key_hash, display, created_at_ms, last_used_at_ms)
        select 'key_' || i, ${id}, 'Shop', 'hash ' || i, 'vt_0000', 0, ${sql.lit(nowMs)} - i from ${accounts}`,
      sql`insert into usage_sums (account_id, span, template_id, count) select ${id}, day, '', 5 from ${active}`,
      sql`insert into credit_days (account_id, key_id, day, consumed, refunded)
        select ${id}, 'key_' || i, day, 5, 0 from ${active}`,
      sql`update wallets set consumed = spent.consumed, granted = granted + spent.consumed
        from (select account_id, sum(consumed) as consumed from credit_days
          where account_id in (select ${id} from ${accounts}) group by account_id) as spent
        where spent.account_id = wallets.account_id`,
      sql`insert into request_log (account_id, at_ms, request_id, key_id, endpoint, template_ids, status, duration_ms,
          credits, replayed)
        select ${id}, ${sql.lit(nowMs)} - i - r * 1000, 'req_' || r, 'key_' || i, 'POST /api/v1/mockups/generate', '',
          200, 50, 1, 0
        from ${accounts} join ${numbers('r', 0, REQUESTS)} as requests on i % 5 = 0`,
    ])
      await statement.execute(queries)
  }
  await sql.raw('analyze').execute(queries)
}

/** How long a read waits each time, over and over, until it is stopped. */
function watchWaits(read: () => Promise<unknown>): () => Promise<readonly number[]> {
  const waits: number[] = []
  const stop = new AbortController()
  const run = async () => {
    while (!stop.signal.aborted) {
      const startedMs = performance.now()
      await read()
      waits.push(performance.now() - startedMs)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
    return waits.toSorted((a, b) => a - b)
  }
}

async function lengthOf(pieces: AsyncIterable<string>): Promise<number> {
  let characters = 0
  for await (const piece of pieces) characters += piece.length
  return characters
}

async function measure(kind: 'sqlite' | 'postgres'): Promise<void> {
  const { database, remove } = await createTestDatabase(kind)
  const onError = (error: unknown) => {
    throw error
  }
  const keys = new ApiKeys(database, { onError })
  const usage = new Usage(database, { onError })
  const requestLog = new RequestLog(database, { onError })
  const accounts = new Accounts(database)
  const wallet = new Wallet(database, { instanceId: 'ins_bench' })
  const directory = new AccountDirectory({ accounts, apiKeys: keys, usage, requestLog, database, clock: Date.now })
  try {
    await fill(database)
    const [first] = (await accounts.list({ limit: 1 })).accounts
    const search = ''
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      'oldest first, page 1': () => directory.page({ search, order: 'oldest', page: 1 }),
      'by address, middle page': () => directory.page({ search, order: 'email', page: Math.ceil(count / 100) }),
      'most credits first': () => directory.page({ search, order: 'credits', page: 1 }),
      'running out first': () => directory.page({ search, order: 'runs-out', page: 1 }),
      'most mockups first, 1 % match': () => directory.page({ search: 'shop-77', order: 'mockups', page: 1 }),
      'the file of all, oldest first': () => lengthOf(directory.csv({ search, order: 'oldest' })),
      'the file of all, running out first': () => lengthOf(directory.csv({ search, order: 'runs-out' })),
    }
    const rows = []
    for (const [name, read] of Object.entries(reads)) {
      const stop = watchWaits(() => wallet.balance(first?.accountId ?? ''))
      const times: number[] = []
      for (let round = 0; round < 3; round++) {
        const startedMs = performance.now()
        await read()
        times.push(performance.now() - startedMs)
      }
      const waits = await stop()
      const [, median = 0] = times.toSorted((a, b) => a - b)
      const [middle = 0, longest = 0] = [waits[Math.floor(waits.length / 2)], waits.at(-1)]
      const row = { read: name, 'median ms': median, 'a balance waits, median ms': middle, 'at worst ms': longest }
      rows.push(Object.fromEntries(Object.entries(row).map(([k, v]) => [k, typeof v === 'number' ? Math.round(v) : v])))
    }
    console.log(`${kind}, ${count} accounts`)
    console.table(rows)
  } finally {
    await Promise.all([keys.close(), usage.close(), requestLog.close()])
    await remove()
  }
}

for (const kind of ['sqlite', 'postgres'] as const)
  if (values.database === undefined || values.database === kind) await measure(kind)
