import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import { type Arrival, Arrivals } from './arrivals.ts'
import { type AccountBudgetName, BudgetExhaustedError } from './budget-exhausted-error.ts'
import { ARRIVING_RETRY_S, DEBT_MS, FUNDED_FOR_MS, REMEMBERED_ACCOUNTS, UNFUNDED_FOR_MS } from './limits.ts'
import { RenderWork, UnpaidTime } from './unpaid-time.ts'

export type AccountBudgetOptions = {
  readonly wallet: Pick<Wallet, 'spendableOf'>
  /** Places in the render queue. */
  readonly queueLimit: number
  /** Processor seconds of failed and cancelled renders allowed per ten minutes. */
  readonly unpaidRenderSeconds: number
  /** A monotonic clock in milliseconds. */
  readonly clock?: Clock
  readonly onRefusal?: (budget: AccountBudgetName) => void
}

/**
 * Limits what each account, with all its keys, may use of this node without paying: arriving requests, their
 * bytes, and the processor time of failed or cancelled renders.
 */
export class AccountBudget {
  readonly #wallet: Pick<Wallet, 'spendableOf'>
  readonly #clock: Clock
  readonly #onRefusal: (budget: AccountBudgetName) => void
  readonly #arrivals: Arrivals
  readonly #unpaid: UnpaidTime
  /** In order of last use, the most recent last. */
  readonly #funds = new Map<string, { readonly isFunded: boolean; readonly untilMs: number }>()

  constructor(options: AccountBudgetOptions) {
    this.#wallet = options.wallet
    this.#clock = options.clock ?? (() => performance.now())
    this.#onRefusal = options.onRefusal ?? (() => undefined)
    this.#arrivals = new Arrivals(options.queueLimit)
    this.#unpaid = new UnpaidTime(options.unpaidRenderSeconds * 1000, this.#clock)
  }

  /** The number of requests whose body is arriving. */
  get arrivingCount(): number {
    return this.#arrivals.count
  }

  /** Whether the account has credits. Cached, so that not every request reads the wallet. */
  isFunded(accountId: string): boolean | Promise<boolean> {
    const known = this.#funds.get(accountId)
    if (known !== undefined && this.#clock() < known.untilMs) return known.isFunded
    return this.#readFunds(accountId)
  }

  /** Records an account's spendable credits, as just read from the wallet. */
  noteSpendable(accountId: string, credits: number): void {
    const isFunded = credits > 0
    this.#funds.delete(accountId)
    this.#funds.set(accountId, { isFunded, untilMs: this.#clock() + (isFunded ? FUNDED_FOR_MS : UNFUNDED_FOR_MS) })
    const [oldest] = this.#funds.keys()
    if (this.#funds.size > REMEMBERED_ACCOUNTS && oldest !== undefined) this.#funds.delete(oldest)
  }

  /** @throws BudgetExhaustedError while the account has exceeded its budget of unpaid render time */
  assertMayRender(accountId: string): void {
    const waitMs = this.#unpaid.waitMs(accountId)
    if (waitMs > 0) throw this.#exhausted('unpaid_time', Math.ceil(waitMs / 1000))
  }

  /** Whether the account's unpaid time is so high that it must leave one process to others. */
  isInDebt(accountId: string): boolean {
    return this.#unpaid.usedMs(accountId) > DEBT_MS
  }

  /** Begins a request before its body is read; disposing ends it. @throws BudgetExhaustedError */
  arrive(accountId: string, isFunded: boolean): Arrival {
    const arrival = this.#arrivals.tryBegin(accountId, isFunded)
    if (arrival === null) throw this.#exhausted('arriving', ARRIVING_RETRY_S)
    return arrival
  }

  /** Counts bytes of a body. Returns an error if they exceed a limit. */
  receive(arrival: Arrival, sizeBytes: number): BudgetExhaustedError | null {
    return arrival.receive(sizeBytes) ? null : this.#exhausted('received_bytes', ARRIVING_RETRY_S)
  }

  /** Begins to count the render work of an account's request. */
  beginWork(accountId: string): RenderWork {
    return new RenderWork(processorMs => this.#unpaid.add(accountId, processorMs))
  }

  async #readFunds(accountId: string): Promise<boolean> {
    const credits = (await this.#wallet.spendableOf([accountId])).get(accountId) ?? 0
    this.noteSpendable(accountId, credits)
    return credits > 0
  }

  #exhausted(budget: AccountBudgetName, retryAfterS: number): BudgetExhaustedError {
    this.#onRefusal(budget)
    return new BudgetExhaustedError(budget, retryAfterS)
  }
}
