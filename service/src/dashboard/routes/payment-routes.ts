import type { Checkout, Payment } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DashboardError } from '../../errors/dashboard-error.ts'
import { continueBody } from '../../http/expect-continue.ts'
import type { Payments } from '../../payments/payments.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'
import { readBytes } from '../octet-body.ts'

const checkoutBody = z.object({ credits: z.int().positive() })
const paymentParameters = z.object({ paymentId: z.string().max(64) })
const EVENT_BYTES_MAX = 512 * 1024

export function registerPaymentRoutes(app: FastifyInstance, payments: Payments, findVisitor: FindVisitor): void {
  app.post('/dashboard/api/credits/checkout', async (request): Promise<Checkout> => {
    const { account } = await findVisitor(request)
    const { credits } = checkoutBody.parse(request.body)
    return { url: await payments.checkout({ accountId: account.accountId, email: account.email, credits }) }
  })
  app.get('/dashboard/api/credits/payments/:paymentId', async (request): Promise<Payment> => {
    const { account } = await findVisitor(request)
    return payments.get(account.accountId, paymentParameters.parse(request.params).paymentId)
  })
}

/** Receives events from Stripe. The signature covers the raw bytes, so it is verified before parsing. */
export function registerPaymentEvents(
  app: FastifyInstance,
  payments: Payments,
  services: Pick<DashboardServices, 'deadlines'>,
): void {
  app.post('/dashboard/stripe/events', async (request, reply) => {
    const signature = request.headers['stripe-signature']
    if (typeof signature !== 'string')
      throw new DashboardError('BAD_SIGNATURE', { message: 'Expected an event that Stripe has signed.' })
    continueBody(request, reply)
    await payments.takeEvent(await readBytes(request, services, EVENT_BYTES_MAX), signature)
    return { received: true }
  })
}
