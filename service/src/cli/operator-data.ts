import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AuditAction } from '@vitrine/contract'
import { type Account, Accounts } from '../accounts/accounts.ts'
import { ApiKeys } from '../api-keys/api-keys.ts'
import { Audit } from '../audit/audit.ts'
import { Wallet } from '../credits/wallet.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { PublishableKeys } from '../publishable-keys/publishable-keys.ts'
import type { Settings } from '../settings/load-settings.ts'
import { withNotedAddress } from '../settings/noted-address.ts'
import { readProcessSettings } from '../settings/process-environment.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { openTemplateStore } from '../templates/open-template-store.ts'
import type { TemplateRecord } from '../templates/template-record.ts'
import type { BundleWork, TemplateStore } from '../templates/template-store.ts'

/** The service's data for one command, whether or not the server is running. */
export class OperatorData implements AsyncDisposable {
  readonly settings: Settings
  readonly database: Database
  readonly accounts: Accounts
  readonly wallet: Wallet
  readonly audit: Audit
  readonly keys: ApiKeys
  readonly publishableKeys: PublishableKeys
  readonly storage: ObjectStorage
  readonly templates: TemplateStore

  private constructor(settings: Settings, database: Database, bundleWork: BundleWork | undefined) {
    this.settings = settings
    this.database = database
    this.accounts = new Accounts(database)
    // Reservations belong to an instance; a command makes none.
    this.wallet = new Wallet(database, { instanceId: 'ins_command' })
    this.audit = new Audit(database, { onError: error => console.error(error) })
    this.keys = new ApiKeys(database, { onError: error => console.error(error) })
    this.publishableKeys = new PublishableKeys(database)
    this.storage = openObjectStorage(settings)
    this.templates = openTemplateStore(settings, database, this.storage, { work: bundleWork })
  }

  /** Opens the data that the settings name. By default creates nothing: a mistyped folder is an error. */
  static async open({
    mayCreate = false,
    bundleWork,
  }: {
    readonly mayCreate?: boolean
    readonly bundleWork?: BundleWork | undefined
  } = {}): Promise<OperatorData> {
    const settings = readProcessSettings()
    if (!mayCreate && !hasData(settings)) {
      throw new OperatorError(
        `There is no Vitrine data in ${path.resolve(settings.DATA_DIR)}: start Vitrine once ("npm start"), or name the folder in DATA_DIR.`,
      )
    }
    const database = await openDatabase({ databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR })
    try {
      await database.migrate()
      return new OperatorData(settings, database, bundleWork)
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** Records in the audit log what the command did to an account; null if it concerns all accounts. */
  async note(accountId: string | null, action: AuditAction, target: string | null = null): Promise<void> {
    await this.audit.record({ accountId, actor: 'operator', action, target })
  }

  /** A link that signs the account's owner in to the dashboard. */
  async signInLink(account: Account): Promise<string> {
    const { signInLinkOf } = await import('../sign-in/sign-in-link.ts')
    const link = await signInLinkOf(this, await withNotedAddress(this.settings), account)
    await this.note(account.accountId, 'sign_in_link')
    return link
  }

  /** Removes an account's second factor. */
  async removeSecondFactor({ accountId }: Account): Promise<void> {
    const { removeSecondFactor } = await import('../sign-in/sign-in-link.ts')
    await removeSecondFactor(this.database, accountId)
    await this.note(accountId, 'second_factor_off')
  }

  async accountOf(email: string): Promise<Account> {
    const account = await this.accounts.findByEmail(email)
    if (account) return account
    throw new OperatorError(`There is no account with the e-mail address ${email}: "vitrine account list" shows all.`)
  }

  /** The template with this id: the account's own, or without an account the only one or the shared one. */
  async templateOf(templateId: string, email?: string): Promise<TemplateRecord | null> {
    if (email !== undefined) return this.templates.get(templateId, (await this.accountOf(email)).accountId)
    const namesakes = await this.templates.namesakes(templateId)
    const shared = namesakes.find(({ ownerAccountId }) => ownerAccountId === null)
    if (shared !== undefined || namesakes.length <= 1) return shared ?? namesakes[0] ?? null
    throw new OperatorError(
      `The template ${templateId} is in ${namesakes.length} accounts: name one of them with --account.`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.keys.close()
    await this.database.close()
  }
}

/** Whether a database exists. */
export function hasData(settings: Settings): boolean {
  return settings.DATABASE_URL !== undefined || existsSync(path.join(settings.DATA_DIR, 'vitrine.db'))
}
