import type { BalanceResource } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import type { AppServices } from '../app-services.ts'
import { callerOf } from '../http/request-state.ts'

/** GET /billing/balance: what the account can spend now. 1 credit = 1 cent. */
export function getBillingBalance(app: FastifyInstance, { wallet }: Pick<AppServices, 'wallet'>): void {
  app.get('/billing/balance', async (request): Promise<BalanceResource> => {
    const { spendableCredits } = await wallet.balance(callerOf(request.raw).accountId)
    return {
      balance_cents: spendableCredits,
      balance_dollars: (spendableCredits / 100).toFixed(2),
      balance_credits: spendableCredits,
    }
  })
}
