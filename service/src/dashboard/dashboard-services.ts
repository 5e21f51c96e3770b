import type { FastifyRequest } from 'fastify'
import type { Account, Accounts } from '../accounts/accounts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { RequestCounter } from '../http/rate-limiting.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import type { Usage } from '../usage/usage.ts'
import type { Auth } from './auth.ts'

/** What the dashboard's routes work with. */
export type DashboardServices = {
  readonly auth: Auth
  readonly database: Database
  readonly accounts: Accounts
  readonly apiKeys: ApiKeys
  readonly wallet: Wallet
  readonly usage: Usage
  readonly rateLimiter: RequestCounter
  readonly templates: TemplateStore
  readonly storage: ObjectStorage
  /** Where the dashboard is reached, without a path; the API's base address is below it. */
  readonly origin: string
  readonly sendsMail: boolean
  readonly clock: Clock
}

/** The signed-in visitor of a request, as the session's cookie says. */
export type Visitor = {
  readonly account: Account
  readonly sessionToken: string
  readonly emailVerified: boolean
  readonly twoFactorEnabled: boolean
}

export const isOperator = ({ account }: Visitor): boolean => account.role !== 'customer'

/** Routes ask for the visitor of the request at hand. @throws DashboardError 401 */
export type FindVisitor = (request: FastifyRequest) => Promise<Visitor>
