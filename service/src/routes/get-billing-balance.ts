import type { AnswerOf } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/request-state.ts'
import type { Services } from '../services.ts'

/** GET /billing/balance: the account's spendable credits. 1 credit is 1 cent. */
export function getBillingBalance(app: FastifyInstance, { wallet }: Pick<Services, 'wallet'>): void {
  app.get('/billing/balance', async (request): Promise<AnswerOf<'getBalance'>> => {
    const { spendableCredits } = await wallet.balance(callerOf(request).accountId)
    return {
      balance_cents: spendableCredits,
      balance_dollars: (spendableCredits / 100).toFixed(2),
      balance_credits: spendableCredits,
    }
  })
}
