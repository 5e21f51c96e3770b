import type { Selectable } from 'kysely'
import { addCredits, openWallet } from '../credits/ledger.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { classifyDatabaseError } from '../database/database-error.ts'
import { newId } from '../database/new-id.ts'
import type { AccountRole, Schema } from '../database/schema.ts'

export type Account = {
  readonly accountId: string
  readonly email: string
  readonly role: AccountRole
  readonly createdAtMs: number
}

/** Another account has the address, in whatever case. */
export class EmailTaken extends Error {
  override name = 'EmailTaken'
}

/** The address cannot be one: the message is for the caller. */
export class InvalidEmail extends Error {
  override name = 'InvalidEmail'
}

/** Who the service works for. Every account has a wallet from its first moment. */
export class Accounts {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, { clock = Date.now }: { clock?: Clock } = {}) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Makes an account with its wallet, and `credits` granted in it (0 unless given): all of it or nothing.
   * @throws EmailTaken, InvalidEmail
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
          const done = mayHaveCommitted
            ? await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
            : undefined
          if (done) return
          await transaction
            .insertInto('accounts')
            .values({ id: accountId, email, email_key: emailKey(email), role, created_at_ms: createdAtMs })
            .execute()
          await openWallet(transaction, accountId)
          if (credits > 0) {
            const gift = { accountId, credits, reason: 'with the new account', externalId: null }
            await addCredits(transaction, { ...gift, kind: 'grant', entryId, nowMs: createdAtMs })
          }
        },
        { isRepeatable: true },
      )
    } catch (error) {
      if (classifyDatabaseError(error) === 'unique') {
        throw new EmailTaken(`there is an account with the address ${email} already`, { cause: error })
      }
      throw error
    }
    return { accountId, email, role, createdAtMs }
  }

  async get(accountId: string): Promise<Account | null> {
    const row = await this.#database.queries
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', accountId)
      .executeTakeFirst()
    return row ? toAccount(row) : null
  }

  /** Finds the account whose address this is, in whatever case. */
  async findByEmail(email: string): Promise<Account | null> {
    const row = await this.#database.queries
      .selectFrom('accounts')
      .selectAll()
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    return row ? toAccount(row) : null
  }

  /** All accounts, oldest first. `page` counts from 1. */
  async list({ page = 1, limit = 100 }: { readonly page?: number; readonly limit?: number } = {}): Promise<{
    readonly accounts: readonly Account[]
    readonly total: number
  }> {
    const { queries } = this.#database
    const rows = await queries
      .selectFrom('accounts')
      .selectAll()
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const count = await queries
      .selectFrom('accounts')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { accounts: rows.map(toAccount), total: count.total }
  }
}

function parseEmail(text: string): string {
  const email = text.trim().normalize('NFC')
  // Whether it exists only a mail can tell; this refuses what certainly does not, and keeps lists and logs on one line.
  if (email.length > 254 || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)) {
    throw new InvalidEmail('Expected an email address of at most 254 characters but received something else.')
  }
  return email
}

function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

function toAccount(row: Selectable<Schema['accounts']>): Account {
  return { accountId: row.id, email: row.email, role: row.role, createdAtMs: row.created_at_ms }
}
