import { type AccountList, type AccountOrder, type DashboardAccount, isFigureOrder } from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'
import { type PlacingOrder, readAccountFigures, readAccountPlaces } from './account-figures.ts'
import { csvLine } from './csv.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { mergeRuns } from './merge-runs.ts'
import { isoOf, isoOrNull, roleOf } from './resources.ts'

const PAGE_SIZE = 50

/** Accounts per statement when all are read, so that no statement takes long. */
const READ_AT_ONCE = 500

type Services = Pick<DashboardServices, 'accounts' | 'apiKeys' | 'usage' | 'requestLog' | 'database' | 'clock'>
type Wanted = { readonly search: string; readonly order: AccountOrder }

/** The accounts of the service as operators see them, with their activity. */
export class AccountDirectory {
  readonly #services: Services
  /** Resolves when no one reads many accounts: such reads run one at a time. */
  #readingMany: Promise<unknown> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  async describe(account: Account): Promise<DashboardAccount> {
    const [described] = await this.#describeAll([account])
    if (described === undefined) throw new Error(`the account ${account.accountId} was not described`)
    return described
  }

  /** One page, counted from 1. Sorting by activity reads that figure for all matching accounts. */
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

  /**
   * All matching accounts as CSV (RFC 4180), in the order at the start, in chunks that are read one by one,
   * so that other work can run in between.
   */
  async *csv({ search, order }: Wanted): AsyncGenerator<string> {
    yield csvLine(columns.map(([name]) => name))
    // A statement that sorts all accounts by credits would block SQLite's thread for a second.
    const { accounts } = this.#services
    const ids =
      order === 'credits' || isFigureOrder(order)
        ? (await this.#placed(search, order)).map(({ accountId }) => accountId)
        : await this.#inTurn(() => accounts.listIds({ search, order }))
    for (let i = 0; i < ids.length; i += READ_AT_ONCE) {
      const piece = await this.#inTurn(async () =>
        this.#describeAll(await accounts.getAll(ids.slice(i, i + READ_AT_ONCE))),
      )
      yield piece.map(each => csvLine(columns.map(([, of]) => of(each)))).join('')
    }
  }

  async #placed(search: string, order: PlacingOrder): Promise<Account[]> {
    const { usage, requestLog, database, clock } = this.#services
    await Promise.all([usage.flush(), requestLog.flush()])
    const runs = await this.#inTurn(() =>
      this.#readInParts(search, async accounts => {
        const ids = accounts.map(({ accountId }) => accountId)
        const places = await readAccountPlaces(database.queries, ids, order, clock())
        const run = accounts.flatMap(account => {
          const place = places.get(account.accountId)
          return place === undefined ? [] : [{ account, place }]
        })
        return run.toSorted(byPlace)
      }),
    )
    return (await mergeRuns(runs, byPlace)).map(({ account }) => account)
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const reading = this.#readingMany.then(read)
    this.#readingMany = reading.catch(() => undefined)
    return reading
  }

  async #readInParts<T>(search: string, read: (accounts: readonly Account[]) => Promise<T>): Promise<T[]> {
    const all: T[] = []
    for (let after = ''; ; ) {
      const accounts = await this.#services.accounts.listAfter(after, { search, limit: READ_AT_ONCE })
      all.push(await read(accounts))
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

type Placed = { readonly account: Account; readonly place: number }

const byPlace = (a: Placed, b: Placed) =>
  a.place - b.place || a.account.createdAtMs - b.account.createdAtMs || byText(a.account.accountId, b.account.accountId)

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

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
