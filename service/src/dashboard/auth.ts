import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins/magic-link'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import type { Mail, Mailer } from './mailer.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'

export type AuthSettings = {
  /** Where the dashboard is reached, without a path. */
  readonly origin: string
  /** Signs cookies and links; 32 characters or more. */
  readonly secret: string
  readonly signUp: 'open' | 'closed'
}

/** Idle for this long ends a session; use prolongs it, at most once an hour. */
const sessionSeconds = 7 * 24 * 3600
const sessionRenewalSeconds = 3600
const signInLinkSeconds = 15 * 60
const resetLinkSeconds = 30 * 60

export const passwordLengthMin = 8
export const passwordLengthMax = 128

/** Cookies that only this host can set and that only travel encrypted; where the address is plain http, without those two promises. */
export function hasSecureCookies(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

export function sessionCookieName(origin: string): string {
  return hasSecureCookies(origin) ? '__Host-vitrine.session' : 'vitrine.session'
}

type Link = { readonly email: string; readonly url: string }

/**
 * Who may come into the dashboard: passwords, links, second factors and sessions, kept by better-auth in our database.
 * A user of it and an account of ours have one id.
 */
export function createAuth({ database, accounts, mailer, settings, onSignInLink }: AuthDependencies) {
  const { origin, secret, signUp } = settings
  const secure = hasSecureCookies(origin)
  const cookie = (name: string) => ({
    name: secure ? `__Host-vitrine.${name}` : `vitrine.${name}`,
    attributes: { secure, sameSite: 'strict' as const, httpOnly: true, path: '/' },
  })
  return betterAuth({
    appName: 'Vitrine',
    baseURL: origin,
    basePath: '/dashboard/auth',
    secret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    // It logs addresses that people sign in with: what matters of that is in our own request log.
    logger: { disabled: true },
    // A transaction of its own would hold SQLite's write lock while a password is hashed: money must never wait for that.
    database: { db: database.queries, type: database.kind, transaction: false },
    user: {
      modelName: 'sign_in_users',
      fields: {
        emailVerified: 'email_verified',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        twoFactorEnabled: 'two_factor_enabled',
      },
      changeEmail: { enabled: true },
    },
    session: {
      modelName: 'sign_in_sessions',
      fields: {
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
      },
      expiresIn: sessionSeconds,
      updateAge: sessionRenewalSeconds,
    },
    account: {
      modelName: 'sign_in_credentials',
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'sign_in_verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: false, // its prefix would be __Secure-; the stricter __Host- is part of our names
      cookies: {
        session_token: cookie('session'),
        two_factor: cookie('second-factor'),
        trust_device: cookie('trusted'),
        dont_remember: cookie('short'),
      },
      ipAddress: { ipAddressHeaders: ['x-vitrine-client-address'] },
      database: { generateId: ({ model }) => (model === 'user' ? false : crypto.randomUUID()) },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === 'closed',
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      resetPasswordTokenExpiresIn: resetLinkSeconds,
      revokeSessionsOnPasswordReset: true,
      password: { hash: hashPassword, verify: verifyPassword },
      sendResetPassword: ({ user, token }) =>
        mailer.send({
          to: user.email,
          subject: 'Reset your Vitrine password',
          text: `Choose a new password here (once, within 30 minutes):\n\n${origin}/reset#${token}\n\nIf you didn't ask for it, do nothing.`,
        }),
      // Whoever has the link reads the mail of this address, and the password that was there before is gone.
      onPasswordReset: async ({ user }) => {
        await markVerified(database, user.id)
        await forgetResetLinks(database, user.id)
      },
      onExistingUserSignUp: ({ user }) => mailer.send(alreadyHere(user.email, origin)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: signInLinkSeconds * 4,
      sendVerificationEmail: ({ user, token }) =>
        mailer.send({
          to: user.email,
          subject: 'Confirm your address for Vitrine',
          text: `Confirm that this address is yours (within an hour):\n\n${origin}/confirm#${token}\n\nIf you didn't ask for it, do nothing: nobody can use the address without this link.`,
        }),
    },
    databaseHooks: {
      user: {
        create: {
          // The account comes first and gives its id. An account that an operator made, and that nobody has signed in to yet,
          // is never joined by a sign-up: its owner would confirm the address, and with it a stranger's password.
          before: async user => {
            if ((await accounts.findByEmail(user.email)) !== null) {
              await mailer.send(alreadyHere(user.email, origin))
              throw new APIError('FORBIDDEN', { message: 'This address has an account.', code: 'EMAIL_TAKEN' })
            }
            const account = await accounts.create({ email: user.email })
            return { data: { ...user, id: account.accountId } }
          },
        },
        update: {
          before: async change => {
            const { email } = change
            if (typeof email === 'string' && (await accounts.findByEmail(email)) !== null)
              throw new APIError('CONFLICT', { message: 'This address has an account.', code: 'EMAIL_TAKEN' })
          },
          after: async user => {
            const account = await accounts.get(user.id)
            if (account === null || account.email.toLowerCase() === user.email) return
            await accounts.changeEmail(user.id, user.email)
            await forgetResetLinks(database, user.id)
            await mailer.send({
              to: account.email,
              subject: 'Your Vitrine address has changed',
              text: `You sign in to Vitrine with ${user.email} from now on.\n\nIf this was not you, write to the operator of this service at once.`,
            })
          },
        },
      },
      session: {
        create: {
          before: async session => {
            const account = await accounts.get(session.userId)
            if (account === null || account.suspendedAtMs !== null)
              throw new APIError('FORBIDDEN', {
                message: 'This account is suspended. Write to the operator of this service.',
                code: 'ACCOUNT_SUSPENDED',
              })
          },
        },
      },
    },
    plugins: [
      magicLink({
        expiresIn: signInLinkSeconds,
        storeToken: 'hashed',
        disableSignUp: true,
        sendMagicLink: ({ email, token }) => onSignInLink?.({ email, url: `${origin}/enter#${token}` }),
      }),
      twoFactor({ issuer: 'Vitrine', twoFactorTable: 'sign_in_second_factors', schema: twoFactorColumns }),
    ],
  })
}

type AuthDependencies = {
  readonly database: Database
  readonly accounts: Accounts
  readonly mailer: Mailer
  readonly settings: AuthSettings
  /** Called with the link that an operator asked for. */
  readonly onSignInLink?: (link: Link) => void
}

export type Auth = ReturnType<typeof createAuth>

const twoFactorColumns = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    fields: {
      backupCodes: 'backup_codes',
      userId: 'user_id',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
}

/** What the owner of an address reads when somebody signs up with it once more: the page's answer says nothing of it. */
const alreadyHere = (email: string, origin: string): Mail => ({
  to: email,
  subject: 'You have a Vitrine account already',
  text: `Somebody, perhaps you, wanted to create an account with this address, which has one.\n\nSign in: ${origin}/sign-in\nForgot the password: ${origin}/reset\n\nIf it wasn't you, do nothing.`,
})

/** Links to a new password that were sent before the password or the address changed: whoever reads those mails may be who it was changed for. */
export async function forgetResetLinks(database: Database, userId: string): Promise<void> {
  await database.queries.deleteFrom('sign_in_verifications').where('value', '=', userId).execute()
}

async function markVerified(database: Database, userId: string): Promise<void> {
  const verified = database.kind === 'sqlite' ? 1 : true
  await database.queries
    .updateTable('sign_in_users')
    .set({ email_verified: verified })
    .where('id', '=', userId)
    .execute()
}
