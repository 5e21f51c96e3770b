import { creditPacks } from '@vitrine/contract'
import { Stripe } from 'stripe'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { DashboardError } from './dashboard-error.ts'

/** Another address of Stripe's API than its own. */
export type StripeApi = { readonly host: string; readonly port: number; readonly protocol: 'http' }

export type PaymentSettings = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly origin: string
  readonly api?: StripeApi
}

const currency = 'usd'
const timeoutMs = 15_000

/**
 * Sells credit packs through Stripe Checkout. A payment is written down before the customer leaves for Stripe; its id goes
 * with it and names it in the ledger, where it can be credited once only, whatever Stripe repeats, reorders or delays.
 */
export class Payments {
  readonly #database: Database
  readonly #wallet: Wallet
  readonly #settings: PaymentSettings
  readonly #clock: Clock
  readonly #stripe: Stripe

  constructor(
    database: Database,
    wallet: Wallet,
    settings: PaymentSettings,
    { clock = Date.now }: { clock?: Clock } = {},
  ) {
    this.#database = database
    this.#wallet = wallet
    this.#settings = settings
    this.#clock = clock
    this.#stripe = new Stripe(settings.secretKey, {
      timeout: timeoutMs,
      maxNetworkRetries: 2,
      telemetry: false,
      ...settings.api,
    })
  }

  /** Opens a checkout for a pack. Resolves with the address of Stripe's page. @throws DashboardError */
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
    if (pack === undefined) throw new DashboardError(400, 'NO_SUCH_PACK', `There is no pack of ${credits} credits.`)
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
              currency,
              unit_amount: pack.price_cents,
              product_data: { name: `${credits.toLocaleString('en-US')} Vitrine credits` },
            },
          },
        ],
        success_url: `${this.#settings.origin}/credits?payment=done`,
        cancel_url: `${this.#settings.origin}/credits?payment=cancelled`,
      },
      { idempotencyKey: paymentId },
    )
    if (session.url === null)
      throw new DashboardError(
        502,
        'PAYMENT_UNAVAILABLE',
        'The payment page could not be opened.',
        'Nothing was charged: try again.',
      )
    return session.url
  }

  /** Takes an event that Stripe has signed. Unknown kinds are ignored. @throws DashboardError for a bad signature */
  async takeEvent(rawBody: Buffer, signature: string): Promise<void> {
    let event: Stripe.Event
    try {
      event = this.#stripe.webhooks.constructEvent(rawBody, signature, this.#settings.webhookSecret)
    } catch (error) {
      throw new DashboardError(
        400,
        'BAD_SIGNATURE',
        'This event is not signed by Stripe for this service.',
        error instanceof Error ? undefined : String(error),
      )
    }
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        await this.#credit(event.data.object)
        break
      case 'charge.refunded':
        await this.#takeBack(event.data.object.metadata['payment_id'], event.data.object.amount_refunded)
        break
      case 'charge.dispute.created':
        await this.#takeBackDisputed(event.data.object)
        break
      default:
        break
    }
  }

  async #credit(session: Stripe.Checkout.Session): Promise<void> {
    if (session.payment_status !== 'paid') return
    const payment = await this.#find(session.client_reference_id)
    if (payment === null) return
    if (session.amount_total !== payment.price_cents || session.currency !== currency) return
    await this.#wallet.purchase({
      accountId: payment.account_id,
      credits: payment.credits,
      reason: `${payment.credits.toLocaleString('en-US')} credits bought`,
      externalId: payment.id,
    })
    await this.#database.queries
      .updateTable('payments')
      .set({ paid_at_ms: this.#clock(), receipt_url: await this.#receiptOf(session) })
      .where('id', '=', payment.id)
      .execute()
  }

  /** The receipt is a service to the customer: without it the credits are there all the same. */
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
   * Money went back: the credits that it bought go too, as far as they are not spent or reserved. What was spent stays spent:
   * a balance never goes below zero, so the operator bears that part and may suspend the account.
   */
  async #takeBack(paymentId: string | undefined, refundedCents: number): Promise<void> {
    const payment = await this.#find(paymentId ?? null)
    if (payment === null) return
    // Stripe tells a refund before the payment now and then: refused, it tells it again later.
    if (payment.paid_at_ms === null)
      throw new DashboardError(409, 'NOT_PAID_YET', 'The payment of this refund has not been told yet.')
    const credits = Math.min(payment.credits, Math.ceil((payment.credits * refundedCents) / payment.price_cents))
    await this.#wallet.reverse({
      accountId: payment.account_id,
      paymentId: payment.id,
      creditsInAll: credits,
      reason: 'payment refunded',
    })
  }

  /** What was refunded before and what is disputed now are different parts of the money. */
  async #takeBackDisputed(dispute: Stripe.Dispute): Promise<void> {
    const chargeId = typeof dispute.charge === 'string' ? dispute.charge : dispute.charge.id
    const { metadata, amount_refunded } = await this.#stripe.charges.retrieve(chargeId)
    await this.#takeBack(metadata['payment_id'], amount_refunded + dispute.amount)
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
