import { once } from 'node:events'
import http from 'node:http'
import { Stripe } from 'stripe'
import type { StripeApi } from '../../src/dashboard/payments.ts'

export const webhookSecret = 'whsec_test_of_vitrine'

type Checkout = { readonly id: string; readonly paymentId: string; readonly amount: number }

/** A Stripe on loopback that the real SDK talks to: checkouts, payment intents, charges; and events signed as Stripe signs them. */
export class FakeStripe implements AsyncDisposable {
  readonly checkouts: Checkout[] = []
  #disputed: { metadata: Record<string, string>; amount_refunded: number } | null = null
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

  /** The event of a checkout that was paid, with its signature. */
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

  refunded({ paymentId }: Checkout, amountRefunded: number) {
    return this.#event('charge.refunded', {
      id: 'ch_1',
      object: 'charge',
      metadata: { payment_id: paymentId },
      amount_refunded: amountRefunded,
    })
  }

  /** Its customer's bank takes back `amountCents` of a payment of which `refundedCents` went back before. */
  disputed({ paymentId }: Checkout, amountCents: number, refundedCents: number) {
    this.#disputed = { metadata: { payment_id: paymentId }, amount_refunded: refundedCents }
    return this.#event('charge.dispute.created', { id: 'dp_1', object: 'dispute', charge: 'ch_1', amount: amountCents })
  }

  #event(type: string, object: unknown): { body: string; signature: string } {
    const body = JSON.stringify({
      id: `evt_${Math.random().toString(36).slice(2)}`,
      object: 'event',
      type,
      data: { object },
    })
    return { body, signature: this.#signer.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret }) }
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
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
    } else if (request.url?.startsWith('/v1/payment_intents/')) {
      send({
        id: 'pi',
        object: 'payment_intent',
        latest_charge: { id: 'ch_1', object: 'charge', receipt_url: 'https://pay.example/receipt' },
      })
    } else if (request.url?.startsWith('/v1/charges/') && this.#disputed !== null) {
      send({ id: 'ch_1', object: 'charge', ...this.#disputed })
    } else {
      response.statusCode = 404
      send({ error: { type: 'invalid_request_error', message: 'no such thing' } })
    }
  }
}
