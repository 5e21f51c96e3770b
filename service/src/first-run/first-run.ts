import path from 'node:path'
import { type Account, Accounts } from '../accounts/accounts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'
import { INSPECTIONS_AT_ONCE } from '../templates/limits.ts'
import { readStoredImport } from '../templates/stored-import.ts'
import type { TemplateStore } from '../templates/template-store.ts'

/**
 * A step of the first start. Every start attempts it until it has been completed once. One of several nodes
 * claims it; the others continue without it.
 */
type Step = 'templates' | 'account'

/** The operator's account. The address is just a name; no mail is sent to it. */
export const FIRST_ACCOUNT_EMAIL = 'owner@vitrine.local'
export const FIRST_ACCOUNT_CREDITS = 1000
const FIRST_KEY_NAME = 'First key'

/** The first start on an empty database: starter pack, account with credits, a key that is printed once. */
export class FirstRun {
  readonly #database: Database
  readonly #instanceId: string

  constructor(database: Database, instanceId: string) {
    this.#database = database
    this.#instanceId = instanceId
  }

  /**
   * Imports the bundles, once: a template that the operator has since removed is not restored. Each bundle's
   * folder has the name of its template, as does its stored import in `importsFolder`, which is taken over.
   *
   * @returns false while another node does it: that node then also creates the account and prints the first
   * command
   */
  async importTemplates(
    templates: TemplateStore,
    bundles: readonly string[],
    importsFolder: string,
    onImport: (bundle: string) => void,
  ): Promise<boolean> {
    if (!(await this.#claim('templates'))) return this.#isDone('templates')
    const stored = await Promise.all(
      bundles.map(bundle => readStoredImport(bundle, path.join(importsFolder, path.basename(bundle)))),
    )
    await templates.takeOver(stored.filter(each => each !== null))
    const waiting = bundles.filter((_, index) => stored[index] === null).values()
    const importWaiting = async (): Promise<void> => {
      for (const bundle of waiting) {
        // It was imported by an earlier, interrupted start.
        if ((await templates.get(path.basename(bundle))) !== null) continue
        onImport(bundle)
        await templates.importBundle({ path: bundle, ownerAccountId: null })
      }
    }
    await Promise.all(Array.from({ length: INSPECTIONS_AT_ONCE }, importWaiting))
    await this.#finish('templates')
    return true
  }

  /** Creates the first account. Null if the first run is over or the operator has created accounts. */
  async prepareAccount(): Promise<Account | null> {
    if (!(await this.#claim('account'))) return null
    const accounts = new Accounts(this.#database)
    const present = await accounts.findByEmail(FIRST_ACCOUNT_EMAIL)
    if (present) return present
    if ((await accounts.list({ limit: 1 })).total > 0) {
      await this.#finish('account')
      return null
    }
    const wanted = { email: FIRST_ACCOUNT_EMAIL, role: 'owner', credits: FIRST_ACCOUNT_CREDITS } as const
    return accounts.create(wanted)
  }

  /** Creates the key that is shown once. The first run is over when `show` has returned. */
  async handOverKey(account: Account, keys: ApiKeys, show: (key: string) => void): Promise<void> {
    const { key } = await keys.create({ accountId: account.accountId, name: FIRST_KEY_NAME })
    show(key)
    await this.#finish('account')
  }

  /** Whether this process should do the step: it is not done, and no other live process has claimed it. */
  async #claim(step: Step): Promise<boolean> {
    if (await this.#isDone(step)) return false
    const own = { step, instance_id: this.#instanceId }
    await this.#database.queries
      .insertInto('first_run_claims')
      .values(own)
      .onConflict(conflict => conflict.column('step').doNothing())
      .execute()
    const holder = await this.#claimant(step)
    const dead = await findDeadInstances(this.#database, [holder], this.#instanceId, Date.now)
    if (dead.length > 0) {
      await this.#database.queries
        .updateTable('first_run_claims')
        .set(own)
        .where('step', '=', step)
        .where('instance_id', '=', holder)
        .execute()
    }
    // The claimant may have completed it in the meantime.
    return (await this.#claimant(step)) === this.#instanceId && !(await this.#isDone(step))
  }

  async #claimant(step: Step): Promise<string> {
    const claims = this.#database.queries.selectFrom('first_run_claims').select('instance_id').where('step', '=', step)
    return (await claims.executeTakeFirstOrThrow()).instance_id
  }

  async #isDone(step: Step): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('first_run_steps')
      .select('step')
      .where('step', '=', step)
      .executeTakeFirst()
    return row !== undefined
  }

  async #finish(step: Step): Promise<void> {
    await this.#database.queries
      .insertInto('first_run_steps')
      .values({ step, done_at_ms: Date.now() })
      .onConflict(conflict => conflict.column('step').doNothing())
      .execute()
  }
}
