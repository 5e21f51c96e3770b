import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { dropVersionsOf } from './earlier-versions.ts'
import { TemplateIdTakenError } from './template-errors.ts'
import { countOwnedTemplates } from './template-queries.ts'
import type { TemplateQuota } from './template-quota.ts'
import type { TemplateName } from './template-record.ts'
import { lockTemplate, refuseFull } from './template-rows.ts'

type ChangeOwnerOptions = {
  /** Null shares it with everybody. */
  readonly ownerAccountId: string | null
  /** How many templates the owner may have afterwards. */
  readonly ownedMax?: number
  readonly quota: TemplateQuota
  readonly nowMs: number
}

/**
 * Gives a template to another owner, from the next request on. Its id, versions and files stay. False where
 * there is none. @throws TemplateIdTakenError, TemplateQuotaReachedError, TemplateStorageFullError
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
    // Removed by the same owner: its files are gone, or noted apart.
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
    // Its earlier versions came with it, and give way like all others.
    if (ownerAccountId !== null) await quota.makeRoom(transaction, ownerAccountId, 0, nowMs)
    return true
  })
}
