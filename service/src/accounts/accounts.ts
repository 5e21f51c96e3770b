import { emailAddressSchema } from '@vitrine/contract'
import { sql } from 'kysely'
import { addCredits, openWallet } from '../credits/ledger.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import { newId } from '../database/new-id.ts'
import type { AccountRole } from '../database/schema.ts'
import { OperatorError } from '../errors/operator-error.ts'

export type Account = {
  readonly accountId: string
  readonly email: string
  readonly role: AccountRole
  readonly createdAtMs: number
  /** When it was suspended, or null. */
  readonly suspendedAtMs: number | null
  /** When its personal data was erased, or null. */
  readonly deletedAtMs: number | null
}

/** The columns of an `Account`. */
const columns = [
  'id as accountId',
  'email',
  'role',
  'created_at_ms as createdAtMs',
  'suspended_at_ms as suspendedAtMs',
  'deleted_at_ms as deletedAtMs',
] as const

/** The order of lists: by creation, by address, or by spendable credits, most first. */
export type AccountOrder = 'oldest' | 'newest' | 'email' | 'credits'

/** Another account has the address, regardless of case. */
export class EmailTakenError extends OperatorError {
  override readonly name = 'EmailTakenError'
}

/** The text is not a valid email address. The message is for the caller. */
export class InvalidEmailError extends OperatorError {
  override readonly name = 'InvalidEmailError'
}

/** The customers and operators of the service. An account is created together with its wallet. */
export class Accounts {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, { clock = Date.now }: { clock?: Clock } = {}) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Creates an account, its wallet, and a grant of `credits` (default 0) in one transaction.
   * @throws EmailTakenError, InvalidEmailError
   */
  async create(account: {
    readonly email: string
    readonly role?: AccountRole
    readonly credits?: number
  }): Promise<Account> {
    const email = parseEmail(account.email)
    const { role = 'customer', credits = 0 } = account
    if (!Number.isSafeInteger(credits) || credits < 0) {
      throw new RangeError(`Expected a whole number of credits, at least 0, but received ${credits}`)
    }
    const accountId = newId('acc')
    const entryId = newId('ent')
    const createdAtMs = this.#clock()
    try {
      await this.#database.transaction(
        async (transaction, { mayHaveCommitted }) => {
          const own = transaction.selectFrom('accounts').select('id').where('id', '=', accountId)
          if (mayHaveCommitted && (await own.executeTakeFirst())) return
          await transaction
            .insertInto('accounts')
            .values({ id: accountId, email, email_key: emailKey(email), role, created_at_ms: createdAtMs })
            .execute()
          await openWallet(transaction, accountId)
          if (credits > 0) {
            const gift = { accountId, credits, reason: 'with the new account', externalId: null }
            await addCredits(transaction, 'grant', { ...gift, entryId, nowMs: createdAtMs })
          }
        },
        { isRepeatable: true },
      )
    } catch (error) {
      throw emailFailure(error, email)
    }
    return { accountId, email, role, createdAtMs, suspendedAtMs: null, deletedAtMs: null }
  }

  get(accountId: string): Promise<Account | null> {
    return this.#find('id', accountId)
  }

  /** Finds the account with this address, case-insensitively. */
  findByEmail(email: string): Promise<Account | null> {
    return this.#find('email_key', emailKey(email))
  }

  /** The account of the first start; null if all accounts were created by the operator. */
  async findOwner(): Promise<Account | null> {
    const owners = this.#database.queries.selectFrom('accounts').select(columns).where('role', '=', 'owner')
    return (await owners.orderBy('created_at_ms').limit(1).executeTakeFirst()) ?? null
  }

  async #find(column: 'id' | 'email_key', value: string): Promise<Account | null> {
    const account = this.#database.queries.selectFrom('accounts').select(columns).where(column, '=', value)
    return (await account.executeTakeFirst()) ?? null
  }

  /**
   * One page of the accounts whose address contains `search`, without erased ones. It is case-insensitive,
   * and % and _ are plain characters. `page` counts from 1.
   */
  async list({
    page = 1,
    limit = 100,
    search = '',
    order = 'oldest',
  }: {
    readonly page?: number
    readonly limit?: number
    readonly search?: string
    readonly order?: AccountOrder
  } = {}): Promise<{ readonly accounts: readonly Account[]; readonly total: number }> {
    const accounts = await this.#ordered(search, order)
      .select(columns)
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const { total } = await this.#search(search)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { accounts, total }
  }

  /** The ids of all matching accounts, as one text: 100,000 rows would block the event loop for 0.1 s. */
  async listIds({ search, order }: { readonly search: string; readonly order: AccountOrder }): Promise<string[]> {
    const { ids } = await this.#database.queries
      .selectFrom(this.#ordered(search, order).select('id').as('ordered'))
      .select(sql<string | null>`string_agg(id, ',')`.as('ids'))
      .executeTakeFirstOrThrow()
    return ids?.split(',') ?? []
  }

  /** The accounts with these ids, in the order of the ids; without erased ones. */
  async getAll(accountIds: readonly string[]): Promise<Account[]> {
    const found = await this.#search('').select(columns).where('id', 'in', accountIds).execute()
    const places = new Map(accountIds.map((id, place) => [id, place]))
    return found.toSorted((a, b) => (places.get(a.accountId) ?? 0) - (places.get(b.accountId) ?? 0))
  }

  /** The matching accounts sorted by id, starting after an id. */
  async listAfter(
    accountId: string,
    { search, limit }: { readonly search: string; readonly limit: number },
  ): Promise<Account[]> {
    const found = this.#search(search).where('id', '>', accountId)
    return found.select(columns).orderBy('id').limit(limit).execute()
  }

  #ordered(search: string, order: AccountOrder) {
    const spendable = sql<number>`(select spendable from wallets where wallets.account_id = accounts.id)`
    return this.#search(search)
      .$if(order === 'credits', query => query.orderBy(spendable, 'desc'))
      .$if(order === 'email', query => query.orderBy('email_key'))
      .orderBy('created_at_ms', order === 'newest' ? 'desc' : 'asc')
      .orderBy('id')
  }

  #search(text: string) {
    const pattern = `%${emailKey(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return this.#database.queries
      .selectFrom('accounts')
      .where('deleted_at_ms', 'is', null)
      .where(sql<boolean>`email_key like ${pattern} escape '\\'`)
  }

  /** Changes the address of an account. @throws EmailTakenError, InvalidEmailError */
  async changeEmail(accountId: string, address: string): Promise<void> {
    const email = parseEmail(address)
    try {
      await this.#database.queries
        .updateTable('accounts')
        .set({ email, email_key: emailKey(email) })
        .where('id', '=', accountId)
        .execute()
    } catch (error) {
      throw emailFailure(error, email)
    }
  }

  /** Suspends an account: its keys and sessions are refused until it is restored. Nothing else changes. */
  async suspend(accountId: string): Promise<void> {
    await this.#setSuspended(accountId, this.#clock())
  }

  async restore(accountId: string): Promise<void> {
    await this.#setSuspended(accountId, null)
  }

  /** Erases personal data: the address is replaced, so that a new account may use it. The ledger stays. */
  async erase(accountId: string): Promise<void> {
    const address = `${accountId}@deleted.invalid`
    const nowMs = this.#clock()
    await this.#database.queries
      .updateTable('accounts')
      .set({ email: address, email_key: address, suspended_at_ms: nowMs, deleted_at_ms: nowMs })
      .where('id', '=', accountId)
      .execute()
  }

  async #setSuspended(accountId: string, suspendedAtMs: number | null): Promise<void> {
    await this.#database.queries
      .updateTable('accounts')
      .set({ suspended_at_ms: suspendedAtMs })
      .where('id', '=', accountId)
      .where('deleted_at_ms', 'is', null)
      .execute()
  }
}

function emailFailure(error: unknown, email: string): unknown {
  if (classifyDatabaseError(error) !== 'unique') return error
  return new EmailTakenError(`there is an account with the address ${email} already`, { cause: error })
}

function parseEmail(text: string): string {
  const { data: email } = emailAddressSchema.safeParse(text.trim().normalize('NFC'))
  if (email !== undefined) return email
  throw new InvalidEmailError(
    `Expected an e-mail address such as shop@example.com but received ${JSON.stringify(text.slice(0, 254))}.`,
  )
}

function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
