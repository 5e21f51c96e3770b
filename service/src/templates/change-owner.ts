import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { TemplateIdTakenError } from './template-errors.ts'
import { countOwnedTemplates, measureOwnedTemplates } from './template-queries.ts'
import type { TemplateName } from './template-record.ts'
import { lockTemplate, refuseFull } from './template-rows.ts'

type ChangeOwnerOptions = {
  /** Null shares it with everybody. */
  readonly ownerAccountId: string | null
  /** How many templates the owner may have afterwards. */
  readonly ownedMax?: number
  /** Told what the owner has and what is added. @throws TemplateStorageFullError */
  readonly refuseOverQuota: (ownedBytes: number, addedBytes: number) => void
}

/**
 * Gives a template to another owner, from the next request on. Its id, version and files stay. False where
 * there is none. @throws TemplateIdTakenError, TemplateQuotaReachedError, TemplateStorageFullError
 */
export function changeOwner(
  database: Database,
  template: TemplateName,
  { ownerAccountId, ownedMax, refuseOverQuota }: ChangeOwnerOptions,
): Promise<boolean> {
  return database.transaction(async transaction => {
    const row = await lockTemplate(database, transaction, template)
    if (row === undefined || row.removed_at_ms !== null) return false
    if (row.owner_account_id === ownerAccountId) return true
    const there = await lockTemplate(database, transaction, { ...template, ownerAccountId })
    if (there !== undefined && there.removed_at_ms === null)
      throw new TemplateIdTakenError(`The new owner has another template ${template.id}: remove one of them first.`)
    // Removed by the same owner: its files are gone, or noted apart.
    if (there !== undefined) await transaction.deleteFrom('templates').where('id', '=', there.id).execute()
    if (ownerAccountId !== null) {
      await lockAccount(database, transaction, ownerAccountId)
      refuseFull(await countOwnedTemplates(transaction, ownerAccountId), ownedMax)
      refuseOverQuota(await measureOwnedTemplates(transaction, ownerAccountId), row.size_bytes ?? 0)
    }
    await transaction
      .updateTable('templates')
      .set({ owner_account_id: ownerAccountId })
      .where('id', '=', row.id)
      .execute()
    return true
  })
}
