import { setImmediate } from 'node:timers/promises'
import {
  type AccountFigureOrder,
  type AccountList,
  type AccountOrder,
  type DashboardAccount,
  isFigureOrder,
} from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'
import { readAccountFigures, readAccountPlaces } from './account-figures.ts'
import { csvLine } from './csv.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { isoOf, isoOrNull, roleOf } from './resources.ts'

const PAGE_SIZE = 50

/** Accounts that one statement reads where all are read: none holds the database for long. */
const READ_AT_ONCE = 500

type Services = Pick<DashboardServices, 'accounts' | 'apiKeys' | 'usage' | 'requestLog' | 'database' | 'clock'>
type Wanted = { readonly search: string; readonly order: AccountOrder }

/** The accounts of the service as operators see them, with what each does. */
export class AccountDirectory {
  readonly #services: Services
  /** Ends when nobody reads all accounts: they are read for one operator after the other. */
  #readingAll: Promise<unknown> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  async describe(account: Account): Promise<DashboardAccount> {
    const [described] = await this.#describeAll([account])
    if (described === undefined) throw new Error(`the account ${account.accountId} was not described`)
    return described
  }

  /** One page, which counts from 1. An order by what accounts do reads the figure of all that match. */
  async page({ search, order, page }: Wanted & { readonly page: number }): Promise<AccountList> {
    const { accounts, total } = isFigureOrder(order)
      ? await this.#placed(search, order).then(all => ({
          accounts: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
          total: all.length,
        }))
      : await this.#services.accounts.list({ page, limit: PAGE_SIZE, search, order })
    return {
      accounts: await this.#describeAll(accounts),
      total,
      page,
      total_pages: Math.ceil(total / PAGE_SIZE),
    }
  }

  /** All that match as CSV (RFC 4180), in pieces: others get their turn between them. */
  async *csv(wanted: Wanted): AsyncGenerator<string> {
    yield csvLine(columns.map(([name]) => name))
    const accounts = await this.#sorted(wanted)
    for (let i = 0; i < accounts.length; i += READ_AT_ONCE) {
      const piece = accounts.slice(i, i + READ_AT_ONCE)
      yield piece.map(each => csvLine(columns.map(([, of]) => of(each)))).join('')
      await setImmediate()
    }
  }

  async #sorted({ search, order }: Wanted): Promise<DashboardAccount[]> {
    const accounts = await this.#readAll(search, found => this.#describeAll(found))
    return accounts.toSorted((a, b) => comparisons[order](a, b) || byAge(a, b))
  }

  async #placed(search: string, order: AccountFigureOrder): Promise<Account[]> {
    const { usage, requestLog, database, clock } = this.#services
    await Promise.all([usage.flush(), requestLog.flush()])
    const all = await this.#readAll(search, async accounts => {
      const ids = accounts.map(({ accountId }) => accountId)
      const places = await readAccountPlaces(database.queries, ids, order, clock())
      return accounts.flatMap(account => {
        const place = places.get(account.accountId)
        return place === undefined ? [] : [{ account, place }]
      })
    })
    return all
      .toSorted(
        (a, b) =>
          a.place - b.place ||
          a.account.createdAtMs - b.account.createdAtMs ||
          byText(a.account.accountId, b.account.accountId),
      )
      .map(({ account }) => account)
  }

  #readAll<T>(search: string, read: (accounts: readonly Account[]) => Promise<readonly T[]>): Promise<T[]> {
    const reading = this.#readingAll.then(() => this.#readInParts(search, read))
    this.#readingAll = reading.catch(() => undefined)
    return reading
  }

  async #readInParts<T>(search: string, read: (accounts: readonly Account[]) => Promise<readonly T[]>): Promise<T[]> {
    const all: T[] = []
    for (let after = ''; ; ) {
      const accounts = await this.#services.accounts.listAfter(after, { search, limit: READ_AT_ONCE })
      all.push(...(await read(accounts)))
      const last = accounts.at(-1)
      if (last === undefined || accounts.length < READ_AT_ONCE) return all
      after = last.accountId
    }
  }

  async #describeAll(accounts: readonly Account[]): Promise<DashboardAccount[]> {
    const { apiKeys, usage, requestLog, database, clock } = this.#services
    const ids = accounts.map(({ accountId }) => accountId)
    await Promise.all([usage.flush(), requestLog.flush()])
    const [figures, keys] = await Promise.all([readAccountFigures(database.queries, ids, clock()), apiKeys.count(ids)])
    return accounts.flatMap(account => {
      const figure = figures.get(account.accountId)
      if (figure === undefined) return []
      return {
        id: account.accountId,
        email: account.email,
        role: roleOf(account),
        created_at: isoOf(account.createdAtMs),
        suspended_at: isoOrNull(account.suspendedAtMs),
        spendable_credits: figure.spendableCredits,
        key_count: keys.get(account.accountId)?.active ?? 0,
        mockups_30d: figure.mockups,
        credits_30d: figure.creditsSpent,
        last_active_at: isoOrNull(figure.lastActiveAtMs),
        runs_out_in_days: figure.runsOutInDays,
      }
    })
  }
}

type Comparison = (a: DashboardAccount, b: DashboardAccount) => number

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** As the database sorts accounts of the same place: the oldest first. */
const byAge: Comparison = (a, b) => byText(a.created_at, b.created_at) || byText(a.id, b.id)

const comparisons: Readonly<Record<AccountOrder, Comparison>> = {
  oldest: byAge,
  newest: (a, b) => byText(b.created_at, a.created_at),
  email: (a, b) => byText(a.email.toLowerCase(), b.email.toLowerCase()),
  credits: (a, b) => b.spendable_credits - a.spendable_credits,
  active: (a, b) => byText(b.last_active_at ?? '', a.last_active_at ?? ''),
  mockups: (a, b) => b.mockups_30d - a.mockups_30d,
  // What spends nothing runs out last.
  'runs-out': (a, b) => daysLeft(a) - daysLeft(b),
}

/** Safe to subtract. */
const daysLeft = (account: DashboardAccount): number => account.runs_out_in_days ?? Number.MAX_SAFE_INTEGER

const columns: readonly (readonly [name: string, of: (account: DashboardAccount) => string | number])[] = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['since', account => account.created_at],
  ['status', statusOf],
  ['active_keys', account => account.key_count],
  ['credits', account => account.spendable_credits],
  ['mockups_30d', account => account.mockups_30d],
  ['credits_30d', account => account.credits_30d],
  ['last_active', account => account.last_active_at ?? ''],
  ['runs_out_in_days', account => account.runs_out_in_days ?? ''],
]

function statusOf({ role, suspended_at }: DashboardAccount): string {
  if (role === 'operator') return 'operator'
  return suspended_at === null ? 'active' : 'suspended'
}
