import { creditPacks } from '@vitrine/contract'
import { Stripe } from 'stripe'
import type { Audit } from '../audit/audit.ts'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { DashboardError, notFound } from '../errors/dashboard-error.ts'

/** Another address of Stripe's API; for tests. */
export type StripeApi = { readonly host: string; readonly port: number; readonly protocol: 'http' }

export type PaymentSettings = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly origin: string
  readonly api?: StripeApi
}

/** A payment whose amount or currency differs from the checkout's. */
export type NotCredited = {
  readonly sessionId: string
  readonly paymentId: string | null
  /** In the smallest unit, with the currency. */
  readonly sum: string
}

const CURRENCY = 'usd'
const TIMEOUT_MS = 15_000
const CHARGE_READS_MAX = 5

/** In these states a dispute withdraws no money: it was won, or is an inquiry before a dispute. */
const statesWithoutWithdrawal: ReadonlySet<string> = new Set([
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])

/**
 * Sells credit packs through Stripe Checkout. A payment is stored before the customer is sent to Stripe. Its
 * id is the ledger's external id, so it is credited only once, however Stripe repeats, reorders or delays its
 * events.
 */
export class Payments {
  readonly #database: Database
  readonly #wallet: Wallet
  readonly #audit: Audit
  readonly #settings: PaymentSettings
  readonly #clock: Clock
  readonly #onNotCredited: (payment: NotCredited) => void
  readonly #stripe: Stripe

  constructor(
    database: Database,
    wallet: Wallet,
    audit: Audit,
    settings: PaymentSettings,
    { clock = Date.now, onNotCredited }: { clock?: Clock; onNotCredited: (payment: NotCredited) => void },
  ) {
    this.#database = database
    this.#wallet = wallet
    this.#audit = audit
    this.#settings = settings
    this.#clock = clock
    this.#onNotCredited = onNotCredited
    this.#stripe = new Stripe(settings.secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 2,
      telemetry: false,
      ...settings.api,
    })
  }

  /** Opens a checkout for a pack. Resolves with the URL of Stripe's page. @throws DashboardError */
  async checkout({
    accountId,
    email,
    credits,
  }: {
    readonly accountId: string
    readonly email: string
    readonly credits: number
  }): Promise<string> {
    const pack = creditPacks.find(candidate => candidate.credits === credits)
    if (pack === undefined)
      throw new DashboardError('NO_SUCH_PACK', { message: `There is no pack of ${credits} credits.` })
    const paymentId = newId('pay')
    await this.#database.queries
      .insertInto('payments')
      .values({
        id: paymentId,
        account_id: accountId,
        credits,
        price_cents: pack.price_cents,
        created_at_ms: this.#clock(),
        paid_at_ms: null,
        reversed_credits: 0,
        receipt_url: null,
      })
      .execute()
    const session = await this.#stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: paymentId,
        customer_email: email,
        metadata: { payment_id: paymentId },
        payment_intent_data: { metadata: { payment_id: paymentId } },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: CURRENCY,
              unit_amount: pack.price_cents,
              product_data: { name: `${credits.toLocaleString('en-US')} Vitrine credits` },
            },
          },
        ],
        success_url: `${this.#settings.origin}/credits?payment=${paymentId}`,
        cancel_url: `${this.#settings.origin}/credits?payment=cancelled`,
      },
      { idempotencyKey: paymentId },
    )
    if (session.url === null) throw new DashboardError('PAYMENT_UNAVAILABLE')
    return session.url
  }

  /** A payment of an account. @throws DashboardError */
  async get(accountId: string, paymentId: string): Promise<{ credits: number; credited: boolean }> {
    const payment = await this.#find(paymentId)
    if (payment === null || payment.account_id !== accountId) throw notFound('payment')
    return { credits: payment.credits, credited: payment.paid_at_ms !== null }
  }

  /** Handles a signed event from Stripe. Unknown types are ignored. @throws DashboardError */
  async takeEvent(rawBody: Buffer, signature: string): Promise<void> {
    let event: Stripe.Event
    try {
      event = this.#stripe.webhooks.constructEvent(rawBody, signature, this.#settings.webhookSecret)
    } catch (cause) {
      throw new DashboardError('BAD_SIGNATURE', { cause })
    }
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        await this.#credit(event.data.object)
        break
      // Events may be repeated, late and out of order, so the current state of the charge is read.
      case 'charge.refunded':
        await this.#takeBack(event.data.object.id)
        break
      case 'refund.updated':
      case 'refund.failed':
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.funds_withdrawn':
      case 'charge.dispute.funds_reinstated':
      case 'charge.dispute.closed':
        await this.#takeBack(idOf(event.data.object.charge))
        break
      default:
        break
    }
  }

  async #credit(session: Stripe.Checkout.Session): Promise<void> {
    if (session.payment_status !== 'paid') return
    const payment = await this.#find(session.client_reference_id)
    // Another product may share the account at Stripe.
    if (payment === null && session.client_reference_id?.startsWith('pay_') !== true) return
    if (payment === null || session.amount_total !== payment.price_cents || session.currency !== CURRENCY) {
      // Money was received, and only the operator can tell what for.
      const sum = `${session.amount_total ?? 0} ${session.currency ?? ''}`
      this.#onNotCredited({ sessionId: session.id, paymentId: payment?.id ?? null, sum })
      await this.#audit.record({
        accountId: payment?.account_id ?? null,
        actor: 'system',
        action: 'payment_not_credited',
        target: `${session.id} ${sum}`,
        outcome: 'failed',
      })
      return
    }
    await this.#wallet.purchase({
      accountId: payment.account_id,
      credits: payment.credits,
      reason: `${payment.credits.toLocaleString('en-US')} credits bought`,
      externalId: payment.id,
    })
    if (await this.#notePaid(payment.id)) {
      const target = `${payment.id} ${payment.credits}`
      await this.#audit.record({ accountId: payment.account_id, actor: 'system', action: 'purchase', target })
    }
    if (payment.receipt_url === null) await this.#noteReceipt(payment.id, session)
  }

  /** Whether the payment was not noted as paid before: false for a repeated or concurrent event. */
  async #notePaid(paymentId: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('payments')
      .set({ paid_at_ms: this.#clock() })
      .where('id', '=', paymentId)
      .where('paid_at_ms', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async #noteReceipt(paymentId: string, session: Stripe.Checkout.Session): Promise<void> {
    const receiptUrl = await this.#receiptOf(session)
    if (receiptUrl === null) return
    await this.#database.queries
      .updateTable('payments')
      .set({ receipt_url: receiptUrl })
      .where('id', '=', paymentId)
      .execute()
  }

  /** The URL of the receipt; null if Stripe does not answer: the credits are added even without one. */
  async #receiptOf(session: Stripe.Checkout.Session): Promise<string | null> {
    const intent = typeof session.payment_intent === 'string' ? session.payment_intent : session.payment_intent?.id
    if (intent === undefined) return null
    try {
      const { latest_charge } = await this.#stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })
      return typeof latest_charge === 'object' ? (latest_charge?.receipt_url ?? null) : null
    } catch {
      return null
    }
  }

  /**
   * After a refund or dispute, including a won one: takes the credits of the payment back or restores them. A
   * balance never becomes negative: credits that are spent or reserved stay, at the operator's cost.
   */
  async #takeBack(chargeId: string | null): Promise<void> {
    if (chargeId === null) return
    let applied: number | null = null
    // Concurrent events may read different states, and the older state may be written last. So after each
    // write the charge is read again, until it equals what was written.
    for (let attempt = 0; attempt < CHARGE_READS_MAX; attempt++) {
      const { paymentId, lostCents, reason } = await this.#readCharge(chargeId)
      const payment = await this.#find(paymentId)
      if (payment === null || lostCents === applied) return
      // Stripe sometimes sends a refund before its payment; a refused event is sent again later.
      if (payment.paid_at_ms === null) throw new DashboardError('NOT_PAID_YET')
      await this.#wallet.setReversed({
        accountId: payment.account_id,
        paymentId: payment.id,
        creditsInAll: Math.min(payment.credits, Math.ceil((payment.credits * lostCents) / payment.price_cents)),
        reason,
      })
      applied = lostCents
    }
    throw new DashboardError('CHARGE_CHANGES')
  }

  /** How much of a charge is currently refunded, disputed or lost to a dispute. */
  async #readCharge(chargeId: string): Promise<{ paymentId: string | null; lostCents: number; reason: string }> {
    const [charge, disputes] = await Promise.all([
      this.#stripe.charges.retrieve(chargeId),
      this.#stripe.disputes.list({ charge: chargeId, limit: 100 }),
    ])
    const disputedCents = disputes.data
      .filter(({ status }) => !statesWithoutWithdrawal.has(status))
      .reduce((sum, { amount }) => sum + amount, 0)
    const isWon = disputes.data.some(({ status }) => status === 'won')
    return {
      paymentId: charge.metadata['payment_id'] ?? null,
      lostCents: charge.amount_refunded + disputedCents,
      reason: disputedCents > 0 ? 'payment disputed' : isWon ? 'dispute won' : 'payment refunded',
    }
  }

  async #find(paymentId: string | null) {
    if (paymentId === null) return null
    return (
      (await this.#database.queries
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', paymentId)
        .executeTakeFirst()) ?? null
    )
  }
}

function idOf(object: string | { readonly id: string } | null): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
