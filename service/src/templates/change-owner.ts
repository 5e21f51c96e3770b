import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { dropVersionsOf } from './earlier-versions.ts'
import { TemplateIdTakenError } from './template-errors.ts'
import { countOwnedTemplates } from './template-queries.ts'
import type { TemplateQuota } from './template-quota.ts'
import type { TemplateName } from './template-record.ts'
import { lockTemplate, refuseFull } from './template-rows.ts'

type ChangeOwnerOptions = {
  /** Null shares the template with everyone. */
  readonly ownerAccountId: string | null
  /** The maximum number of the new owner's templates, including this one. */
  readonly ownedMax?: number
  readonly quota: TemplateQuota
  readonly nowMs: number
}

/**
 * Gives a template to another owner, from the next request on. Its id, versions and files stay. False if
 * there is no such template. @throws TemplateIdTakenError, TemplateQuotaReachedError,
 * TemplateStorageFullError
 */
export function changeOwner(
  database: Database,
  template: TemplateName,
  { ownerAccountId, ownedMax, quota, nowMs }: ChangeOwnerOptions,
): Promise<boolean> {
  return database.transaction(async transaction => {
    const row = await lockTemplate(database, transaction, template)
    if (row === undefined || row.removed_at_ms !== null) return false
    if (row.owner_account_id === ownerAccountId) return true
    const there = await lockTemplate(database, transaction, { ...template, ownerAccountId })
    if (there !== undefined && there.removed_at_ms === null)
      throw new TemplateIdTakenError(`The new owner has another template ${template.id}: remove one of them first.`)
    // A template that the new owner removed: its files are gone, or listed for removal.
    if (there !== undefined) await dropVersionsOf(transaction, there, nowMs)
    if (there !== undefined) await transaction.deleteFrom('templates').where('id', '=', there.id).execute()
    if (ownerAccountId !== null) {
      await lockAccount(database, transaction, ownerAccountId)
      refuseFull(await countOwnedTemplates(transaction, ownerAccountId), ownedMax)
    }
    await transaction
      .updateTable('templates')
      .set({ owner_account_id: ownerAccountId })
      .where('id', '=', row.id)
      .execute()
    // Its earlier versions moved with it, and may be dropped like all others.
    if (ownerAccountId !== null) await quota.makeRoom(transaction, ownerAccountId, 0, nowMs)
    return true
  })
}
