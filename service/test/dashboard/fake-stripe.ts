import { once } from 'node:events'
import http from 'node:http'
import { Stripe } from 'stripe'
import type { StripeApi } from '../../src/payments/payments.ts'

export const WEBHOOK_SECRET = 'whsec_test_of_vitrine'

type Checkout = { readonly id: string; readonly paymentId: string; readonly amount: number }

type Dispute = {
  readonly id: string
  readonly object: 'dispute'
  readonly charge: string
  readonly amount: number
  status: string
}

/** Sends an event to a service, as Stripe does. */
export const sendEvent = (serviceUrl: string, { body, signature }: { body: string; signature: string }) =>
  fetch(`${serviceUrl}/dashboard/stripe/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })

/** The current state of a payment's charge at Stripe, whatever its events say. */
class Charge {
  readonly id: string
  readonly disputes: Dispute[] = []
  amountRefunded = 0
  readonly #paymentId: string

  constructor(paymentId: string) {
    this.#paymentId = paymentId
    this.id = `ch_${paymentId}`
  }

  resource() {
    const metadata = { payment_id: this.#paymentId }
    return { id: this.id, object: 'charge', metadata, amount_refunded: this.amountRefunded }
  }
}

/**
 * A fake Stripe on loopback for the real SDK: checkouts, payment intents, charges, and events with valid
 * signatures.
 */
export class FakeStripe implements AsyncDisposable {
  readonly checkouts: Checkout[] = []
  /** Whether payment intents can be read, which have the receipt. */
  hasReceipts = true
  readonly #charges = new Map<string, Charge>()
  readonly #server: http.Server
  readonly #signer = new Stripe('sk_test_signer')

  private constructor(server: http.Server) {
    this.#server = server
  }

  static async start(): Promise<FakeStripe> {
    const server = http.createServer()
    const fake = new FakeStripe(server)
    server.on('request', (request, response) => void fake.#answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return fake
  }

  get api(): StripeApi {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
    return { host: '127.0.0.1', port: address.port, protocol: 'http' }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** The event of a paid checkout, with its signature. */
  paid({ id, paymentId, amount }: Checkout, change: Readonly<Record<string, unknown>> = {}) {
    return this.#event('checkout.session.completed', {
      id,
      object: 'checkout.session',
      client_reference_id: paymentId,
      payment_status: 'paid',
      amount_total: amount,
      currency: 'usd',
      payment_intent: `pi_${id}`,
      ...change,
    })
  }

  /** Sets the total refund of a payment. */
  refunded(checkout: Checkout, amountRefunded: number) {
    const charge = this.#chargeOf(checkout)
    charge.amountRefunded = amountRefunded
    return this.#event('charge.refunded', { ...charge.resource(), amount_refunded: amountRefunded })
  }

  /** Creates a dispute of `amountCents` of a payment, or an inquiry before one. */
  disputed(checkout: Checkout, amountCents: number, status = 'needs_response') {
    const charge = this.#chargeOf(checkout)
    charge.disputes.push({
      id: `dp_${charge.disputes.length}`,
      object: 'dispute',
      charge: charge.id,
      amount: amountCents,
      status,
    })
    return this.#event('charge.dispute.created', charge.disputes.at(-1))
  }

  /** Closes the newest dispute of a payment. */
  closed(checkout: Checkout, status: 'won' | 'lost' | 'warning_closed') {
    const dispute = this.#chargeOf(checkout).disputes.at(-1)
    if (dispute === undefined) throw new Error('There is no dispute to close')
    dispute.status = status
    return this.#event('charge.dispute.closed', dispute)
  }

  #chargeOf({ paymentId }: Pick<Checkout, 'paymentId'>): Charge {
    const charge = this.#charges.get(paymentId) ?? new Charge(paymentId)
    this.#charges.set(paymentId, charge)
    return charge
  }

  #event(type: string, object: unknown): { body: string; signature: string } {
    const body = JSON.stringify({
      id: `evt_${Math.random().toString(36).slice(2)}`,
      object: 'event',
      type,
      data: { object },
    })
    return {
      body,
      signature: this.#signer.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET }),
    }
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const url = new URL(request.url ?? '/', 'http://stripe.test')
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (request.method === 'POST' && request.url === '/v1/checkout/sessions') {
      const checkout = {
        id: `cs_${this.checkouts.length}`,
        paymentId: form.get('client_reference_id') ?? '',
        amount: Number(form.get('line_items[0][price_data][unit_amount]')),
      }
      this.checkouts.push(checkout)
      send({ id: checkout.id, object: 'checkout.session', url: form.get('success_url') })
    } else if (this.hasReceipts && request.url?.startsWith('/v1/payment_intents/')) {
      send({
        id: 'pi',
        object: 'payment_intent',
        latest_charge: { id: 'ch_1', object: 'charge', receipt_url: 'https://pay.example/receipt' },
      })
    } else if (url.pathname.startsWith('/v1/charges/ch_')) {
      send(this.#chargeOf({ paymentId: url.pathname.slice('/v1/charges/ch_'.length) }).resource())
    } else if (url.pathname === '/v1/disputes') {
      const paymentId = url.searchParams.get('charge')?.slice('ch_'.length) ?? ''
      send({ object: 'list', has_more: false, data: this.#chargeOf({ paymentId }).disputes })
    } else {
      response.statusCode = 404
      send({ error: { type: 'invalid_request_error', message: 'no such thing' } })
    }
  }
}
