import type { TemplateOrigin } from '@vitrine/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema, Transaction } from '../database/schema.ts'
import { PARAMETERS_PER_QUERY, REMAINS_GRACE_MS, VERSIONS_RETAINED } from './limits.ts'
import type { TemplateName } from './template-record.ts'
import { leaveRemains, lockTemplate, selectTemplate } from './template-rows.ts'

/** A version of a template: the current one, or one that can be restored. */
export type TemplateVersion = {
  readonly version: number
  readonly isCurrent: boolean
  readonly name: string
  readonly madeAtMs: number
  readonly origin: TemplateOrigin
  /** The number that it had before it was restored. */
  readonly restoredFrom: number | null
  readonly sizeBytes: number
  /** Identifies this version among those of all templates. */
  readonly revision: string
  readonly objectPrefix: string
}

type TemplateRow = Selectable<Schema['templates']>

/** The versions of a template, the current one first, then newest first. Empty if there is none. */
export async function listVersions({ queries }: Database, template: TemplateName): Promise<TemplateVersion[]> {
  const current = await selectTemplate(queries, template)
    .where('removed_at_ms', 'is', null)
    .select([...listedColumns, 'id'])
    .executeTakeFirst()
  if (current === undefined) return []
  const earlier = await queries
    .selectFrom('template_versions')
    .select(listedColumns)
    .where('template_row', '=', current.id)
    .orderBy('version', 'desc')
    .execute()
  return [toVersion(current, true), ...earlier.map(row => toVersion(row, false))]
}

/**
 * Makes an earlier version the current one, from the next request on, and retains the one that it replaces.
 * Resolves with its new number, or null if there is no such version.
 */
export function restoreVersion(
  database: Database,
  template: TemplateName,
  version: number,
  nowMs: number,
): Promise<number | null> {
  return database.transaction(async transaction => {
    const before = await lockTemplate(database, transaction, template)
    if (before === undefined || before.removed_at_ms !== null) return null
    const found = await transaction
      .deleteFrom('template_versions')
      .where('template_row', '=', before.id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst()
    if (found === undefined) return null
    const { template_row: _row, replaced_at_ms: _at, ...earlier } = found
    const restored = { ...earlier, version: before.version + 1, imported_at_ms: nowMs, restored_from: version }
    await transaction.updateTable('templates').set(restored).where('id', '=', before.id).execute()
    await retainVersion(transaction, before, nowMs)
    return restored.version
  })
}

/** Retains the current version before another replaces it, and drops all but the newest ones. */
export async function retainVersion(transaction: Transaction, row: TemplateRow, nowMs: number): Promise<void> {
  const { id, template_id: _id, owner_account_id, removed_at_ms: _at, ...version } = row
  const values = { ...version, template_row: id, replaced_at_ms: nowMs }
  await transaction.insertInto('template_versions').values(values).execute()
  const beyond = await transaction
    .selectFrom('template_versions')
    .select('object_prefix')
    .where('template_row', '=', id)
    .orderBy('version', 'desc')
    .offset(VERSIONS_RETAINED)
    .limit(PARAMETERS_PER_QUERY)
    .execute()
  await dropVersions(transaction, beyond.map(prefixOf), owner_account_id, nowMs)
}

/** Drops all versions of a template that is being removed. */
export async function dropVersionsOf(
  transaction: Transaction,
  { id, owner_account_id }: Pick<TemplateRow, 'id' | 'owner_account_id'>,
  nowMs: number,
): Promise<void> {
  const versions = transaction.selectFrom('template_versions').select('object_prefix').where('template_row', '=', id)
  await dropVersions(transaction, (await versions.execute()).map(prefixOf), owner_account_id, nowMs)
}

/**
 * Drops versions; housekeeping removes their objects after an hour. Until then they count against the owner's
 * quota, since a request may still be rendering them.
 */
export async function dropVersions(
  transaction: Transaction,
  objectPrefixes: readonly string[],
  ownerAccountId: string | null,
  nowMs: number,
): Promise<void> {
  if (objectPrefixes.length === 0) return
  // A version that is restored concurrently is not dropped.
  const dropped = await transaction
    .deleteFrom('template_versions')
    .where('object_prefix', 'in', objectPrefixes)
    .returning(['object_prefix', 'size_bytes', 'replaced_at_ms'])
    .execute()
  const remains = dropped.map(({ object_prefix, size_bytes, replaced_at_ms }) => ({
    objectPrefix: object_prefix,
    ownerAccountId: isUnused(replaced_at_ms, nowMs) ? null : ownerAccountId,
    sizeBytes: size_bytes,
  }))
  if (remains.length > 0) await leaveRemains(transaction, remains, nowMs)
}

/** Whether no request can still be using a version. */
export function isUnused(replacedAtMs: number, nowMs: number): boolean {
  return replacedAtMs < nowMs - REMAINS_GRACE_MS
}

const listedColumns = [
  'version',
  'name',
  'imported_at_ms',
  'origin',
  'restored_from',
  'size_bytes',
  'thumbnail_token',
  'object_prefix',
] as const

function toVersion(row: Pick<TemplateRow, (typeof listedColumns)[number]>, isCurrent: boolean): TemplateVersion {
  return {
    version: row.version,
    isCurrent,
    name: row.name,
    madeAtMs: row.imported_at_ms,
    origin: row.origin,
    restoredFrom: row.restored_from,
    sizeBytes: row.size_bytes,
    revision: row.thumbnail_token,
    objectPrefix: row.object_prefix,
  }
}

const prefixOf = ({ object_prefix }: { readonly object_prefix: string }): string => object_prefix
