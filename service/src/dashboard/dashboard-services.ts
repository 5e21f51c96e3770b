import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/accounts.ts'
import type { HttpDeadlines } from '../http/deadlines.ts'
import type { Mailer } from '../mails/mailer.ts'
import type { Services } from '../services.ts'
import type { Attempts } from '../sign-in/attempts.ts'
import type { Auth } from '../sign-in/auth.ts'
import type { DeviceCookies } from '../sign-in/device-cookies.ts'
import type { PasswordHasher } from '../sign-in/password-hasher.ts'
import type { SignUpMarks } from '../sign-in/sign-up-marks.ts'
import { roleOf } from './resources.ts'

/** What the dashboard's routes need: the services of the process, and those made as the settings say. */
export type DashboardServices = Services & {
  readonly auth: Auth
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

/** Adds the routes of one part of the dashboard. */
export type RegisterRoutes = (app: FastifyInstance, services: DashboardServices, findVisitor: FindVisitor) => void
