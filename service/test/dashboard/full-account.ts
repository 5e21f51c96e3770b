import { newId } from '../../src/database/new-id.ts'
import type { TestService } from '../http/test-service.ts'

const DAY_MS = 86_400_000
const ROWS_PER_STATEMENT = 500

export type FullAccountSize = {
  readonly keys: number
  readonly days: number
  /** Shared templates to add; the first hundred have pictures of their own. */
  readonly templates: number
  /** Mockups that were paid for one by one. */
  readonly mockups: number
}

/**
 * Fills an account as years of use would: keys, ten of them busy; counts for every day; payments and mockups
 * in the ledger, with consistent sums; and shared templates. Written in bulk, in the form that the service
 * writes.
 */
export async function fillAccount(
  { running: { services } }: TestService,
  accountId: string,
  size: FullAccountSize,
): Promise<{ readonly keyIds: readonly string[] }> {
  const { database } = services
  const nowMs = Date.now()
  const keyIds = Array.from({ length: size.keys }, () => newId('key'))
  const keys = keyIds.map((id, i) => ({
    id,
    account_id: accountId,
    name: `${['Production', 'Staging', 'Anna’s laptop', 'Print shop', 'Nightly batch'][i % 5]} ${i + 1}`,
    key_hash: `${i}`.padStart(64, '0'),
    display: `vt_${`${i}`.padStart(4, '0')}`,
    created_at_ms: nowMs - (i + 1) * 3_600_000,
    revoked_at_ms: i % 9 === 8 ? nowMs - i * 60_000 : null,
    last_used_at_ms: i % 4 === 3 ? null : nowMs - i * 120_000,
  }))
  const busy = keyIds.slice(0, 10)
  const days = Array.from({ length: size.days }, (_, i) => new Date(nowMs - i * DAY_MS).toISOString().slice(0, 10))
  // A weekly rhythm and slow growth, for realistic charts.
  const requests = (day: number, key: number) =>
    Math.round((60 + 40 * Math.sin((day * 2 * Math.PI) / 7)) * (1.4 - day / 500) * (1 / (key + 1)))
  const of = (account_id: string, key_id: string, day: string) => ({ account_id, key_id, day })
  const usageDays = days.flatMap((day, i) =>
    busy.map((keyId, k) => {
      const total = requests(i, k) + 2
      return {
        ...of(accountId, keyId, day),
        total,
        successful: total - 2,
        failed: 2,
      }
    }),
  )
  const codes = ['ARTWORK_UNREACHABLE', 'INSUFFICIENT_CREDITS', 'INVALID_TEMPLATE']
  const failures = days.flatMap((day, i) => [
    { ...of(accountId, busy[0] ?? '', day), code: codes[i % codes.length] ?? '', count: 20 },
  ])
  const used = ['one-frame', 'two-frames', ...Array.from({ length: 20 }, (_, i) => fillerId(i))]
  const mockups = days.flatMap((day, i) =>
    busy.map((keyId, k) => ({
      ...of(accountId, keyId, day),
      template_id: used[(i + k) % used.length] ?? '',
      count: requests(i, k),
    })),
  )
  const bought = Math.max(1, Math.ceil(size.mockups / 10_000)) * 10_000
  const reservations = Array.from({ length: size.mockups }, (_, i) => ({
    id: newId('res'),
    account_id: accountId,
    key_id: busy[i % busy.length] ?? null,
    request_id: `req_${i}`,
    credits: 1,
    state: 'settled' as const,
    instance_id: 'ins_filler',
    created_at_ms: nowMs - (size.mockups - i) * 60_000,
    expires_at_ms: nowMs,
    resolved_at_ms: nowMs - (size.mockups - i) * 60_000 + 300,
    cause: null,
  }))
  const entry = { account_id: accountId, external_id: null, reason: null }
  const entries = [
    {
      ...entry,
      id: newId('ent'),
      kind: 'purchase' as const,
      debit_book: 'purchased' as const,
      credit_book: 'spendable' as const,
      credits: bought,
      reservation_id: null,
      external_id: newId('pay'),
      reason: `${bought.toLocaleString('en-US')} credits bought`,
      created_at_ms: nowMs - size.days * DAY_MS,
    },
    ...reservations.flatMap(({ id, created_at_ms, resolved_at_ms }) => [
      {
        ...entry,
        id: newId('ent'),
        kind: 'reserve' as const,
        debit_book: 'spendable' as const,
        credit_book: 'reserved' as const,
        credits: 1,
        reservation_id: id,
        created_at_ms,
      },
      {
        ...entry,
        id: newId('ent'),
        kind: 'settle' as const,
        debit_book: 'reserved' as const,
        credit_book: 'consumed' as const,
        credits: 1,
        reservation_id: id,
        created_at_ms: resolved_at_ms,
      },
    ]),
  ]
  await database.transaction(async transaction => {
    for (const rows of parts(keys)) await transaction.insertInto('api_keys').values(rows).execute()
    for (const rows of parts(usageDays)) await transaction.insertInto('usage_days').values(rows).execute()
    for (const rows of parts(failures)) await transaction.insertInto('usage_failures').values(rows).execute()
    for (const rows of parts(mockups)) await transaction.insertInto('usage_templates').values(rows).execute()
    for (const rows of parts(reservations)) await transaction.insertInto('reservations').values(rows).execute()
    for (const rows of parts(entries)) await transaction.insertInto('ledger_entries').values(rows).execute()
    await transaction
      .updateTable('wallets')
      .set(({ eb }) => ({
        purchased: eb('purchased', '+', bought),
        spendable: eb('spendable', '+', bought - size.mockups),
        consumed: eb('consumed', '+', size.mockups),
      }))
      .where('account_id', '=', accountId)
      .execute()
  })
  await addTemplates(services, size.templates)
  await addMarks(services, accountId, size.templates)
  return { keyIds }
}

const fillerId = (index: number): string => `filler-${`${index}`.padStart(5, '0')}`
const categories = ['Apparel', 'Wall art', 'Drinkware', 'Stationery', 'Devices']

/** Templates like `one-frame`; pictures are copied only for the first hundred, since no page shows more. */
async function addTemplates({ database, storage }: TestService['running']['services'], count: number): Promise<void> {
  const model = await database.queries
    .selectFrom('templates')
    .selectAll()
    .where('id', '=', 'one-frame')
    .executeTakeFirstOrThrow()
  const objects = await storage.list(model.object_prefix)
  const templates = Array.from({ length: count }, (_, i) => ({
    ...model,
    id: fillerId(i),
    name: `A scene ${`${i}`.padStart(5, '0')}`,
    name_folded: `a scene ${`${i}`.padStart(5, '0')}`,
    category: categories[i % categories.length] ?? '',
    category_folded: (categories[i % categories.length] ?? '').toLowerCase(),
    object_prefix: `templates/${fillerId(i)}/0/`,
    thumbnail_token: `${i}`.padStart(32, '0'),
  }))
  for (const { object_prefix } of templates.slice(0, 100))
    for (const { key } of objects) {
      const bytes = await storage.get(key)
      if (bytes !== null) await storage.put(object_prefix + key.slice(model.object_prefix.length), bytes)
    }
  await database.transaction(async transaction => {
    for (const rows of parts(templates)) await transaction.insertInto('templates').values(rows).execute()
  })
}

/** Makes every template a favourite with one of ten tags. */
async function addMarks({ database }: TestService['running']['services'], accountId: string, count: number) {
  const marks = Array.from({ length: count }, (_, i) =>
    ['', `client ${i % 10}`].map(tag => ({ account_id: accountId, template_id: fillerId(i), tag_folded: tag, tag })),
  ).flat()
  for (const rows of parts(marks)) await database.queries.insertInto('template_marks').values(rows).execute()
}

function parts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, i) =>
    rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
  )
}
