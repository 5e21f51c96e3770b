import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { type PreparedQuery, prepareQuery } from '../database/prepared-query.ts'
import type { Queries, Schema } from '../database/schema.ts'
import { summarySchema, templateLookSchema } from './bundle-report.ts'
import type { TemplateRecord } from './template-record.ts'

const templateColumns = [
  'id',
  'template_id',
  'version',
  'owner_account_id',
  'summary',
  'thumbnail_token',
  'object_prefix',
  'files',
  'digest',
  'imported_at_ms',
  'look',
] as const satisfies readonly (keyof Schema['templates'])[]

type TemplateRow = Pick<Selectable<Schema['templates']>, (typeof templateColumns)[number]>

type Templates<Output> = SelectQueryBuilder<Schema, 'templates', Output>

export async function listAllTemplates(database: Database): Promise<TemplateRecord[]> {
  const all = database.queries.selectFrom('templates').selectAll().where('removed_at_ms', 'is', null)
  if (database.kind === 'sqlite') return (await all.orderBy('name').orderBy(templateIdColumn).execute()).map(toRecord)
  const inOrder = all.orderBy(sql`name collate "C"`).orderBy(sql`${templateIdColumn} collate "C"`)
  return (await inOrder.execute()).map(toRecord)
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

export async function countOwnedTemplates(queries: Queries, accountId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_account_id', '=', accountId)
    .where('removed_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The storage of an account's templates and their earlier versions, and of removed ones that still exist. */
export async function measureOwnedTemplates(queries: Queries, accountId: string): Promise<number> {
  const size = sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('size_bytes')
  const templates = await queries
    .selectFrom('templates')
    .select(size)
    .where('owner_account_id', '=', accountId)
    .where('removed_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  const versions = await versionsOwnedBy(queries, accountId)
    .select(sql<number>`cast(coalesce(sum(template_versions.size_bytes), 0) as bigint)`.as('size_bytes'))
    .executeTakeFirstOrThrow()
  const remains = await queries
    .selectFrom('template_remains')
    .select(size)
    .where('owner_account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return templates.size_bytes + versions.size_bytes + remains.size_bytes
}

type OldVersion = { readonly objectPrefix: string; readonly sizeBytes: number; readonly replacedAtMs: number }

/** The earlier versions of an account's templates, in the order in which they were replaced. */
export async function listOldestVersions(queries: Queries, accountId: string): Promise<OldVersion[]> {
  const rows = await versionsOwnedBy(queries, accountId)
    .select(['template_versions.object_prefix', 'template_versions.size_bytes', 'replaced_at_ms'])
    .orderBy('replaced_at_ms')
    .orderBy('template_versions.version')
    .execute()
  return rows.map(({ object_prefix, size_bytes, replaced_at_ms }) => ({
    objectPrefix: object_prefix,
    sizeBytes: size_bytes,
    replacedAtMs: replaced_at_ms,
  }))
}

function versionsOwnedBy(queries: Queries, accountId: string) {
  return queries
    .selectFrom('template_versions')
    .innerJoin('templates', 'templates.id', 'template_versions.template_row')
    .where('templates.owner_account_id', '=', accountId)
    .where('templates.removed_at_ms', 'is', null)
}

type FinderValues = { readonly accountId: string } & { readonly [id: `id${number}`]: string }

/**
 * Finds the templates with these ids that an account sees. Every mockup needs it, so the query is built once
 * for each number of ids.
 */
export function buildTemplateFinder(
  queries: Queries,
): (ids: readonly string[], accountId: string) => Promise<TemplateRecord[]> {
  const byCount = new Map<number, PreparedQuery<FinderValues, TemplateRow>>()
  const prepare = (count: number) =>
    prepareQuery<FinderValues, TemplateRow>(slot => {
      const slots = Array.from({ length: count }, (_, i) => slot(`id${i}`))
      const templates = queries.selectFrom('templates').select(templateColumns)
      return seenBy(templates, slot('accountId')).where(templateIdColumn, 'in', slots)
    })
  return async (ids, accountId) => {
    const possible = possibleIds(ids)
    if (possible.length === 0) return []
    const query = byCount.get(possible.length) ?? prepare(possible.length)
    byCount.set(possible.length, query)
    const values = Object.fromEntries(possible.map((id, i) => [`id${i}`, id] as const))
    return (await queries.executeQuery(query({ ...values, accountId }))).rows.map(toRecord)
  }
}

/** The names of the templates with these ids that an account sees. */
export async function readTemplateNames(
  database: Database,
  ids: readonly string[],
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const possible = possibleIds(ids)
  if (possible.length === 0) return new Map()
  const rows = await seenBy(database.queries.selectFrom('templates').select(['name']), accountId)
    .select(templateIdColumn.as('id'))
    .where(templateIdColumn, 'in', possible)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The templates with this id, of all owners. */
export async function findNamesakes(database: Database, id: string): Promise<TemplateRecord[]> {
  if (possibleIds([id]).length === 0) return []
  const rows = await database.queries
    .selectFrom('templates')
    .select(templateColumns)
    .where(templateIdColumn, '=', id)
    .where('removed_at_ms', 'is', null)
    .execute()
  return rows.map(toRecord)
}

/** Drops ids that PostgreSQL would reject (with a zero byte): callers may send anything. */
function possibleIds(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter(id => /^[a-z0-9-]{2,64}$/.test(id))
}

/** The template's public id. */
export const templateIdColumn = sql<string>`coalesce(templates.template_id, templates.id)`

/** An owner's templates, or all shared ones. */
export function ownedBy<Output>(templates: Templates<Output>, ownerAccountId: string | null): Templates<Output> {
  return ownerAccountId === null
    ? templates.where('owner_account_id', 'is', null)
    : templates.where('owner_account_id', '=', ownerAccountId)
}

/** An account's own templates, and the shared ones whose ids its own do not use. */
function seenBy<Output>(templates: Templates<Output>, accountId: string | RawBuilder<string>): Templates<Output> {
  const ownIds = sql<string>`(
    select coalesce(own.template_id, own.id) from templates own
    where own.owner_account_id = ${accountId} and own.removed_at_ms is null
  )`
  return templates.where('removed_at_ms', 'is', null).where(is =>
    is.or([
      is('owner_account_id', '=', accountId),
      // Excludes nulls: "not in" is never true for a list that contains null.
      is.and([is('owner_account_id', 'is', null), is(templateIdColumn, 'not in', ownIds)]),
    ]),
  )
}

const paths = z.array(z.string())

/** Converts a row to a record. */
export function toRecord(row: TemplateRow): TemplateRecord {
  return {
    ...summarySchema.parse(JSON.parse(row.summary)),
    version: row.version,
    ownerAccountId: row.owner_account_id,
    thumbnailPath: `/thumbnails/${row.thumbnail_token}.jpg`,
    revision: row.thumbnail_token,
    objectPrefix: row.object_prefix,
    files: paths.parse(JSON.parse(row.files)),
    digest: row.digest,
    importedAtMs: row.imported_at_ms,
    look: row.look === null ? null : templateLookSchema.parse(JSON.parse(row.look)),
  }
}
