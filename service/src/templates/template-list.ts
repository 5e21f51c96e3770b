import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema, Transaction } from '../database/schema.ts'
import { foldText } from './fold-text.ts'
import { ownedBy, templateIdColumn, toRecord } from './template-queries.ts'
import type { TemplateList, TemplateOrder, TemplateQuery } from './template-record.ts'

type Templates<Output> = SelectQueryBuilder<Schema, 'templates', Output>

/** A row's id and sort keys. */
type Place = { readonly id: string; readonly rank: string | number; readonly templateId: string }

/**
 * One page of the templates that an account sees, with the total count and the account's categories.
 *
 * The positions of shared templates are counted in covering indexes, from the nearer end. The account's own
 * templates, at most a few hundred, are merged into them here.
 */
export function listTemplates(database: Database, query: TemplateQuery): Promise<TemplateList> {
  const { accountId, page, limit, order = 'name' } = query
  return database.snapshot(async transaction => {
    const all = transaction.selectFrom('templates').where('removed_at_ms', 'is', null)
    const owned = await ownedBy(all.select(['category', templateIdColumn.as('id')]), accountId).execute()
    const shared = ownedBy(all, null)
    const ownIds = owned.map(({ id }) => id)
    const hiddenByOwn = shared.where(templateIdColumn, 'in', ownIds)
    const read = (templates: Templates<object>, slice?: Slice & { readonly total: number }) =>
      readPlaces(database, filter(database, templates, query), order, slice)
    const own = owned.length === 0 ? [] : await read(ownedBy(all, accountId))
    const hidden = owned.length === 0 ? [] : await read(hiddenByOwn)
    const sharedCount = await countOf(filter(database, shared, query))

    const offset = (page - 1) * limit
    const ids = await mergedPage({ own, hidden, sharedCount, offset, limit, order }, slice =>
      read(shared, { ...slice, total: sharedCount }),
    )
    const rows =
      ids.length === 0 ? [] : await transaction.selectFrom('templates').selectAll().where('id', 'in', ids).execute()
    const recordOf = new Map(rows.map(row => [row.id, toRecord(row)]))
    const categories = new Set([
      ...(await readSharedCategories(
        database,
        transaction,
        ownIds.length === 0 ? shared : shared.where(templateIdColumn, 'not in', ownIds),
      )),
      ...owned.map(row => row.category),
    ])
    return {
      templates: ids.flatMap(id => recordOf.get(id) ?? []),
      total: own.length + sharedCount - hidden.length,
      categories: [...categories].sort((a, b) => (a < b ? -1 : 1)),
    }
  })
}

async function countOf(templates: Templates<object>): Promise<number> {
  const { count } = await templates.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** Further words of a search are ignored. */
const WORDS_MAX = 8

/** The templates that match a query. */
function filter(
  database: Database,
  templates: Templates<object>,
  { accountId, type, category, search, words, tag }: TemplateQuery,
): Templates<object> {
  let found = templates
  // PostgreSQL accepts no zero byte in a parameter, and no template contains one.
  if (`${category ?? ''}${search ?? ''}${words ?? ''}${tag ?? ''}`.includes('\0'))
    return found.where(sql<SqlBool>`1 = 0`)
  if (type !== undefined) found = found.where('type', '=', type)
  if (category !== undefined) found = found.where('category_folded', '=', foldText(category))
  if (tag !== undefined) {
    const marked = sql<string>`(
      select marks.template_id from template_marks marks
      where marks.account_id = ${accountId} and marks.tag_folded = ${foldText(tag)}
    )`
    found = found.where(templateIdColumn, 'in', marked)
  }
  const position = sql.raw(database.kind === 'sqlite' ? 'instr' : 'strpos')
  for (const word of (words ?? '').split(/\s+/).filter(Boolean).slice(0, WORDS_MAX)) {
    const text = sql`name_folded || ' ' || replace(name_folded, '-', '') || ' ' || category_folded || ' ' || ${templateIdColumn}`
    found = found.where(sql<SqlBool>`${position}(${text}, ${foldText(word)}) > 0`)
  }
  if (search !== undefined && search !== '') {
    found = found.where(sql<SqlBool>`${position}(name_folded, ${foldText(search)}) > 0`)
  }
  return found
}

/** The sort key of each order; ties are sorted by id. Texts compare by code point on both databases. */
const orders = {
  name: { column: 'name', direction: 'asc' },
  newest: { column: 'imported_at_ms', direction: 'desc' },
} as const satisfies Record<TemplateOrder, { column: string; direction: 'asc' | 'desc' }>

const opposite = { asc: 'desc', desc: 'asc' } as const

type Slice = { readonly offset: number; readonly limit: number }

/** The templates in order: all, or a slice of `total`. */
async function readPlaces(
  database: Database,
  templates: Templates<object>,
  order: TemplateOrder,
  slice?: Slice & { readonly total: number },
): Promise<Place[]> {
  const { column, direction } = orders[order]
  const inBinary = <Text>(text: RawBuilder<Text>) =>
    database.kind === 'sqlite' ? text : sql<Text>`${text} collate "C"`
  const ranked = sql.ref<string | number>(column)
  const rank = column === 'name' ? inBinary(ranked) : ranked
  const { offset, limit, total } = slice ?? { offset: 0, limit: null, total: 0 }
  const count = limit === null ? null : Math.max(0, Math.min(limit, total - offset))
  if (count === 0) return []
  const isNearEnd = offset > total / 2
  const rows = await templates
    .select(['id', rank.as('rank'), inBinary(templateIdColumn).as('templateId')])
    .orderBy(rank, isNearEnd ? opposite[direction] : direction)
    .orderBy(inBinary(templateIdColumn), isNearEnd ? 'desc' : 'asc')
    .$if(count !== null, query => query.limit(count ?? 0).offset(isNearEnd ? total - offset - (count ?? 0) : offset))
    .execute()
  return isNearEnd ? rows.toReversed() : rows
}

/**
 * The ids on a page of the account's own and the shared templates, without the shared ones that its own hide.
 * Own ones before the page shift it back among the shared ones, hidden ones shift it forward: the page lies
 * in a slice of them that begins `own.length` earlier and ends `hidden.length` later.
 */
async function mergedPage(
  page: Slice & {
    readonly own: readonly Place[]
    readonly hidden: readonly Place[]
    readonly sharedCount: number
    readonly order: TemplateOrder
  },
  readShared: (slice: Slice) => Promise<Place[]>,
): Promise<string[]> {
  const { own, hidden, sharedCount, offset, limit, order } = page
  if (offset >= own.length + sharedCount - hidden.length) return []
  const from = Math.max(0, offset - own.length)
  const shared = await readShared({ offset: from, limit: limit + own.length + hidden.length })
  const [first] = shared
  const isBefore = (each: Place) => from > 0 && first !== undefined && compare(each, first, order) < 0
  const hiddenIds = new Set(hidden.map(({ id }) => id))
  const merged = [...shared.filter(({ id }) => !hiddenIds.has(id)), ...own.filter(each => !isBefore(each))]
  const firstIndex = from + own.filter(isBefore).length - hidden.filter(isBefore).length
  return merged
    .sort((a, b) => compare(a, b, order))
    .slice(offset - firstIndex, offset - firstIndex + limit)
    .map(({ id }) => id)
}

/** Compares as the databases do: texts by code point, like UTF-8. */
function compare(a: Place, b: Place, order: TemplateOrder): number {
  const byRank =
    typeof a.rank === 'number' && typeof b.rank === 'number'
      ? a.rank - b.rank
      : Buffer.compare(Buffer.from(String(a.rank)), Buffer.from(String(b.rank)))
  const directed = orders[order].direction === 'asc' ? byRank : -byRank
  return directed === 0 ? Buffer.compare(Buffer.from(a.templateId), Buffer.from(b.templateId)) : directed
}

/** The categories of shared templates, each found by one index look-up. */
async function readSharedCategories(
  database: Database,
  transaction: Transaction,
  shared: Templates<object>,
): Promise<string[]> {
  const category = database.kind === 'sqlite' ? sql<string>`category` : sql<string>`category collate "C"`
  const first = shared.select(category.as('category')).orderBy(category).limit(1)
  const next = first.where(sql<SqlBool>`${category} > names.name`)
  const { rows } = await sql<{ name: string }>`
    with recursive names(name) as (
      select (${first}) union all select (${next}) from names where names.name is not null
    )
    select name from names where name is not null`.execute(transaction)
  return rows.map(({ name }) => name)
}
