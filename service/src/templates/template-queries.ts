import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { foldText } from './fold-text.ts'
import { templateLookSchema } from './template-look.ts'
import type { TemplateList, TemplateOrder, TemplateQuery, TemplateRecord } from './template-record.ts'

type Templates<Output> = SelectQueryBuilder<Schema, 'templates', Output>

/** One page of what an account sees, with the count over all pages and the account's categories. */
export function listTemplates(database: Database, query: TemplateQuery): Promise<TemplateList> {
  const { accountId, page, limit, order } = query
  return database.snapshot(async transaction => {
    const templates = transaction.selectFrom('templates')
    const rows = await inOrder(database, where(seenBy(templates.selectAll(), accountId), query), order)
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const counted = templates.select(({ fn }) => fn.countAll<number>().as('total'))
    const { total } = await where(seenBy(counted, accountId), query).executeTakeFirstOrThrow()
    const names = await seenBy(templates.select('category').distinct(), accountId).execute()
    const categories = names.map(row => row.category).sort((a, b) => (a < b ? -1 : 1))
    return { templates: rows.map(toRecord), total, categories }
  })
}

export async function listAllTemplates(database: Database): Promise<TemplateRecord[]> {
  const all = database.queries.selectFrom('templates').selectAll().where('removed_at_ms', 'is', null)
  return (await inOrder(database, all).execute()).map(toRecord)
}

export async function ownedTemplateIds(database: Database, accountId: string): Promise<string[]> {
  const rows = await database.queries
    .selectFrom('templates')
    .select(templateIdColumn.as('id'))
    .where('owner_account_id', '=', accountId)
    .where('removed_at_ms', 'is', null)
    .execute()
  return rows.map(row => row.id)
}

export async function countOwnedTemplates(queries: Database['queries'], accountId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_account_id', '=', accountId)
    .where('removed_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Storage of an account's templates, and of their versions that were replaced or removed and still exist. */
export async function measureOwnedTemplates(queries: Database['queries'], accountId: string): Promise<number> {
  const size = sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('size_bytes')
  const templates = await queries
    .selectFrom('templates')
    .select(size)
    .where('owner_account_id', '=', accountId)
    .where('removed_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  const remains = await queries
    .selectFrom('template_remains')
    .select(size)
    .where('owner_account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return templates.size_bytes + remains.size_bytes
}

/** Those of the ids that an account sees. */
export function findTemplates(
  database: Database,
  ids: readonly string[],
  accountId: string,
): Promise<TemplateRecord[]> {
  return named(database, ids, templates => seenBy(templates, accountId))
}

/** The templates that have an id, of all owners. */
export function findNamesakes(database: Database, id: string): Promise<TemplateRecord[]> {
  return named(database, [id], templates => templates.where('removed_at_ms', 'is', null))
}

async function named(
  database: Database,
  ids: readonly string[],
  narrow: <Output>(templates: Templates<Output>) => Templates<Output>,
): Promise<TemplateRecord[]> {
  // Callers ask for whatever they like; PostgreSQL refuses some texts (a zero byte), so only what can be an
  // id is asked for.
  const possible = [...new Set(ids)].filter(id => /^[a-z0-9-]{2,64}$/.test(id))
  if (possible.length === 0) return []
  const templates = database.queries.selectFrom('templates').selectAll().where(templateIdColumn, 'in', possible)
  return (await narrow(templates).execute()).map(toRecord)
}

/** The id as everybody but the database knows it. */
export const templateIdColumn = sql<string>`coalesce(templates.template_id, templates.id)`

/** What an owner has, or all that is shared. */
export function ownedBy<Output>(templates: Templates<Output>, ownerAccountId: string | null): Templates<Output> {
  return ownerAccountId === null
    ? templates.where('owner_account_id', 'is', null)
    : templates.where('owner_account_id', '=', ownerAccountId)
}

/** An account's own templates, and the shared ones whose ids it has not given to its own. */
function seenBy<Output>(templates: Templates<Output>, accountId: string): Templates<Output> {
  const ownIds = sql<string>`(
    select coalesce(own.template_id, own.id) from templates own
    where own.owner_account_id = ${accountId} and own.removed_at_ms is null
  )`
  return templates.where('removed_at_ms', 'is', null).where(is =>
    is.or([
      is('owner_account_id', '=', accountId),
      // What cannot be null: "not in" a list with a null is never true.
      is.and([is('owner_account_id', 'is', null), is(templateIdColumn, 'not in', ownIds)]),
    ]),
  )
}

function where<Output>(templates: Templates<Output>, query: TemplateQuery): Templates<Output> {
  const { type, category, search } = query
  let found = templates
  // No name has a zero byte, and PostgreSQL takes none in a question.
  if (`${category ?? ''}${search ?? ''}`.includes('\0')) return found.where(sql<boolean>`1 = 0`)
  if (type !== undefined) found = found.where('type', '=', type)
  if (category !== undefined) found = found.where('category_folded', '=', foldText(category))
  if (search !== undefined && search !== '') {
    const pattern = `%${foldText(search).replace(/[!%_]/g, '!$&')}%`
    found = found.where(sql<boolean>`name_folded like ${pattern} escape '!'`)
  }
  return found
}

/** By name, then id, as both databases order alike: by the characters' numbers. */
function inOrder<Output>(
  database: Database,
  templates: Templates<Output>,
  order: TemplateOrder = 'name',
): Templates<Output> {
  if (order === 'newest') return templates.orderBy('imported_at_ms', 'desc').orderBy(templateIdColumn)
  if (database.kind === 'sqlite') return templates.orderBy('name').orderBy(templateIdColumn)
  return templates.orderBy(sql`name collate "C"`).orderBy(sql`${templateIdColumn} collate "C"`)
}

const ratios = z.array(z.number())
const paths = z.array(z.string())

function toRecord(row: Selectable<Schema['templates']>): TemplateRecord {
  return {
    id: row.template_id ?? row.id,
    version: row.version,
    ownerAccountId: row.owner_account_id,
    name: row.name,
    category: row.category,
    type: row.type,
    surfaceType: row.surface_type,
    renderMode: row.render_mode,
    blendMode: row.blend_mode,
    aspectRatios: ratios.parse(JSON.parse(row.aspect_ratios)),
    thumbnailPath: `/thumbnails/${row.thumbnail_token}.jpg`,
    revision: row.thumbnail_token,
    objectPrefix: row.object_prefix,
    files: paths.parse(JSON.parse(row.files)),
    digest: row.digest,
    importedAtMs: row.imported_at_ms,
    look: row.look === null ? null : templateLookSchema.parse(JSON.parse(row.look)),
    sharesBundle: row.share_bundle === 1,
  }
}
