import { availableParallelism } from 'node:os'
import { type Account, Accounts, EmailTakenError } from '../accounts/accounts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { TemplateStore } from '../templates/template-store.ts'

/** What the first start does. A step is noted when it is done; until then every start does it, from its beginning. */
type Step = 'templates' | 'account'

/** The account of whoever runs the service; the address is a name, no mail goes there. */
export const firstAccountEmail = 'owner@vitrine.local'
export const firstAccountCredits = 1000
const firstKeyName = 'First key'

/** The first start on an empty database: templates that ship, an account with credits, and a key that is printed once. */
export class FirstRun {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, { clock = Date.now }: { clock?: Clock } = {}) {
    this.#database = database
    this.#clock = clock
  }

  /** Imports the bundles unless that was done before; templates that the operator has meanwhile removed stay away. */
  async importTemplates(
    templates: TemplateStore,
    bundles: readonly string[],
    onImport: (bundle: string) => void,
  ): Promise<void> {
    if (await this.#isDone('templates')) return
    const waiting = bundles.values()
    const importWaiting = async (): Promise<void> => {
      for (const path of waiting) {
        onImport(path)
        await templates.importBundle({ path, ownerAccountId: null })
      }
    }
    // Each import works in a process of its own; more than a few at once would only take memory.
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, importWaiting))
    await this.#finish('templates')
  }

  /** Makes the first account. Null where there is nothing left to do, or the operator has made accounts already. */
  async prepareAccount(): Promise<Account | null> {
    if (await this.#isDone('account')) return null
    const accounts = new Accounts(this.#database)
    const present = await accounts.findByEmail(firstAccountEmail)
    if (present) return present
    if ((await accounts.list({ limit: 1 })).total > 0) {
      await this.#finish('account')
      return null
    }
    const wanted = { email: firstAccountEmail, role: 'owner', credits: firstAccountCredits } as const
    return accounts.create(wanted).catch((error: unknown) => {
      if (error instanceof EmailTakenError) return accounts.findByEmail(firstAccountEmail) // another node was first
      throw error
    })
  }

  /** Makes the key that is shown once; `show` shows it, and only then the first run is over. */
  async handOverKey(account: Account, keys: ApiKeys, show: (key: string) => void): Promise<void> {
    const { key } = await keys.create({ accountId: account.accountId, name: firstKeyName })
    show(key)
    await this.#finish('account')
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
      .values({ step, done_at_ms: this.#clock() })
      .onConflict(conflict => conflict.column('step').doNothing())
      .execute()
  }
}
