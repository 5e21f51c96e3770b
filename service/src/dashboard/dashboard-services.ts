import type { FastifyRequest } from 'fastify'
import type { DashboardCalls } from '../account-budget/dashboard-calls.ts'
import type { Account, Accounts } from '../accounts/accounts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { HttpDeadlines } from '../http/deadlines.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { Mailer } from '../mails/mailer.ts'
import type { Proofs } from '../proofs/proofs.ts'
import type { PsdImportStore } from '../psd-import/psd-import-store.ts'
import type { PsdImports } from '../psd-import/psd-imports.ts'
import type { PagePacks } from '../publishable-keys/page-packs.ts'
import type { PublishableKeys } from '../publishable-keys/publishable-keys.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { Attempts } from '../sign-in/attempts.ts'
import type { Auth } from '../sign-in/auth.ts'
import type { DeviceCookies } from '../sign-in/device-cookies.ts'
import type { PasswordHasher } from '../sign-in/password-hasher.ts'
import type { SignUpMarks } from '../sign-in/sign-up-marks.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { UploadRoom } from '../storage/upload-room.ts'
import type { StoredMockups } from '../stored-mockups/stored-mockups.ts'
import type { TemplateMarks } from '../templates/template-marks.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import type { RequestLog } from '../usage/request-log.ts'
import type { Usage } from '../usage/usage.ts'
import { roleOf } from './resources.ts'

/** What the dashboard's routes need. */
export type DashboardServices = {
  readonly auth: Auth
  readonly database: Database
  readonly accounts: Accounts
  readonly audit: Audit
  readonly apiKeys: ApiKeys
  readonly publishableKeys: PublishableKeys
  readonly pagePacks: PagePacks
  readonly wallet: Wallet
  readonly usage: Usage
  readonly requestLog: RequestLog
  readonly rateLimiter: RateLimiter
  readonly dashboardCalls: DashboardCalls
  readonly templates: TemplateStore
  readonly templateMarks: TemplateMarks
  readonly proofs: Proofs
  readonly storedMockups: StoredMockups
  readonly psdImports: PsdImports
  readonly psdImportStore: PsdImportStore
  readonly storage: ObjectStorage
  readonly idempotency: Pick<Idempotency, 'forgetBeyondBounds'>
  readonly mailer: Mailer
  readonly passwords: PasswordHasher
  readonly devices: DeviceCookies
  readonly marks: SignUpMarks
  readonly attempts: Attempts
  /** The origin of the dashboard's address; the API is below it. */
  readonly origin: string
  /** Whether anyone may sign up. Otherwise operators create accounts. */
  readonly signUp: 'open' | 'closed'
  /** A link that signs in as an account, once, within this many seconds. */
  readonly signInLink: (account: Account, seconds: number) => Promise<string>
  readonly clock: Clock
  /** The room for uploaded files. */
  readonly storageRoom: UploadRoom
  /** Deadlines for clients that send files. */
  readonly deadlines: HttpDeadlines
}

/** The signed-in visitor of a request, by the session cookie. */
export type Visitor = {
  readonly account: Account
  readonly sessionToken: string
  readonly emailVerified: boolean
  readonly twoFactorEnabled: boolean
}

export const isOperator = ({ account }: Visitor): boolean => roleOf(account) === 'operator'

/** Finds the visitor of a request. @throws DashboardError */
export type FindVisitor = (request: FastifyRequest) => Promise<Visitor>
