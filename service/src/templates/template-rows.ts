import type { TemplateOrigin } from '@vitrine/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { newId, randomBase62 } from '../database/new-id.ts'
import type { Queries, Schema, Transaction } from '../database/schema.ts'
import { type LookedAt, summarySchema, type TemplateSummary } from './bundle-report.ts'
import { foldText } from './fold-text.ts'
import { TemplateIdTakenError, TemplateQuotaReachedError } from './template-errors.ts'
import { ownedBy, templateIdColumn } from './template-queries.ts'
import type { TemplateName } from './template-record.ts'

export type NewVersion = Omit<Selectable<Schema['templates']>, 'id' | 'template_id' | 'version'>

export type StoredVersion = {
  readonly looked: LookedAt
  readonly template: TemplateSummary
  readonly ownerAccountId: string | null
  readonly objectPrefix: string
  readonly sizeBytes: number
  readonly origin: TemplateOrigin
}

export function newObjectPrefix(templateId: string): string {
  return `templates/${templateId}/${randomBase62(16)}/`
}

export function newVersionOf(version: StoredVersion, importedAtMs: number): NewVersion {
  const { looked, template, ownerAccountId, objectPrefix, sizeBytes, origin } = version
  return {
    owner_account_id: ownerAccountId,
    removed_at_ms: null,
    name: template.name,
    name_folded: foldText(template.name),
    category: template.category,
    category_folded: foldText(template.category),
    type: template.type,
    summary: summaryColumn(template),
    object_prefix: objectPrefix,
    files: JSON.stringify(looked.files),
    digest: looked.digest,
    thumbnail_token: randomBase62(32),
    imported_at_ms: importedAtMs,
    look: looked.look && JSON.stringify(looked.look),
    size_bytes: sizeBytes,
    origin,
    restored_from: null,
  }
}

/** The summary as JSON, with fields in the schema's order, so that equal summaries are equal texts. */
export const summaryColumn = (template: TemplateSummary): string => JSON.stringify(summarySchema.parse(template))

/** Selects the row of an owner's template, including a removed one. */
export function selectTemplate(queries: Queries, { id, ownerAccountId }: TemplateName) {
  return ownedBy(queries.selectFrom('templates').where(templateIdColumn, '=', id), ownerAccountId)
}

/** Locks a template: another import of it waits until this transaction ends. */
export function lockTemplate(database: Database, transaction: Transaction, name: TemplateName) {
  return selectTemplate(transaction, name)
    .selectAll()
    .$if(database.kind === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
}

/** The columns of a row's name: the row uses the template's id if it is free. */
export function rowNameOf(templateId: string, isTaken: boolean) {
  return isTaken ? { id: newId('tpl'), template_id: templateId } : { id: templateId, template_id: null }
}

/** Filters ids, leaving those that belong to shared templates, or once did. */
export async function findSharedIds(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const shared = ownedBy(queries.selectFrom('templates').where(templateIdColumn, 'in', ids), null)
  const rows = await shared.select(templateIdColumn.as('id')).execute()
  return new Set(rows.map(({ id }) => id))
}

export function refuseFull(owned: number, ownedMax: number | undefined): void {
  if (ownedMax !== undefined && owned >= ownedMax)
    throw new TemplateQuotaReachedError(`The owner has ${owned} templates, and may have ${ownedMax}.`)
}

type Remains = {
  readonly objectPrefix: string
  readonly ownerAccountId: string | null
  readonly sizeBytes: number | null
}

export function remainsOf(
  row: Pick<Selectable<Schema['templates']>, 'object_prefix' | 'owner_account_id' | 'size_bytes'>,
) {
  return { objectPrefix: row.object_prefix, ownerAccountId: row.owner_account_id, sizeBytes: row.size_bytes }
}

export async function leaveRemains(
  transaction: Transaction,
  remains: readonly Remains[],
  sinceMs: number,
): Promise<void> {
  const rows = remains.map(({ objectPrefix, ownerAccountId, sizeBytes }) => ({
    object_prefix: objectPrefix,
    since_ms: sinceMs,
    owner_account_id: ownerAccountId,
    size_bytes: sizeBytes,
  }))
  await transaction
    .insertInto('template_remains')
    .values(rows)
    .onConflict(conflict => conflict.column('object_prefix').doUpdateSet({ since_ms: sinceMs }))
    .execute()
}

/** A customer's new template may not use an id that belongs, or belonged, to a shared template. */
export async function refuseSharedId(queries: Queries, { id, ownerAccountId }: TemplateName): Promise<void> {
  if (ownerAccountId === null) return
  const shared = await selectTemplate(queries, { id, ownerAccountId: null }).select('id').executeTakeFirst()
  if (shared) throw new TemplateIdTakenError(`The id ${id} belongs to a shared template: choose another id.`)
}
