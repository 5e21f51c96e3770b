import { limits } from '@vitrine/contract'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { magicLink } from 'better-auth/plugins/magic-link'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { z } from 'zod'
import type { Accounts } from '../accounts/accounts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import type { Mail, Mailer } from '../mails/mailer.ts'
import { networkOf } from '../rate-limits/address-subject.ts'
import { HOUR_S } from './limits.ts'
import type { StrangersMail } from './mail-budget.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { hasSecureCookies } from './secure-cookies.ts'
import { SignUpMarks } from './sign-up-marks.ts'

export type AuthSettings = {
  /** The dashboard's address, without a path. */
  readonly origin: string
  /** Signs cookies and links; 32 characters or more. */
  readonly secret: string
  readonly signUp: 'open' | 'closed'
}

/** Sessions expire after this time without use; use extends them, at most once an hour. */
const SESSION_SECONDS = 7 * 24 * 3600
const SESSION_RENEWAL_SECONDS = 3600
/** For a link that its recipient opens at once. */
const SIGN_IN_LINK_SECONDS = 15 * 60
/** As long as a recipient's mails are counted: see `MAILS_PER_RECIPIENT`. */
const MAILED_LINK_SECONDS = HOUR_S

export function sessionCookieName(origin: string): string {
  return hasSecureCookies(origin) ? '__Host-vitrine.session' : 'vitrine.session'
}

/** Set only by our own route: headers of these names from browsers are not passed on. */
export const CLIENT_ADDRESS_HEADER = 'x-vitrine-client-address'
export const SIGN_UP_MARK_HEADER = 'x-vitrine-sign-up-mark'
export const SIGN_UP_SEAL_HEADER = 'x-vitrine-sign-up-seal'
/** Separates the library's token from our seal, in a link that confirms an address. */
export const SEAL_SEPARATOR = '~'

type Link = { readonly email: string; readonly url: string }

/**
 * Sign-in to the dashboard: passwords, links, second factors and sessions, stored by better-auth in our
 * database. Its users have the ids of our accounts.
 */
export function createAuth({
  database,
  accounts,
  audit,
  mailer,
  passwords,
  settings,
  mayMail = () => Promise.resolve(true),
  signInLinkSeconds = SIGN_IN_LINK_SECONDS,
  onSignInLink,
}: AuthDependencies) {
  const { origin, secret, signUp } = settings
  const marks = new SignUpMarks(settings)
  /** Sends a mail that a stranger can cause. `request` is the one that causes it, if any. */
  const sendLimited = async (kind: StrangersMail, mail: Mail, request?: Request) => {
    if (await mayMail(kind, mail.to, request?.headers.get('cookie') ?? undefined)) await mailer.send(mail)
  }
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
    // Disabled because it logs the addresses that people sign in with; our own request log suffices.
    logger: { disabled: true },
    // A transaction would hold SQLite's write lock while a password is hashed, and payments would wait.
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
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
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
      useSecureCookies: false, // it would add __Secure-; our names have the stricter __Host-
      cookies: {
        session_token: cookie('session'),
        two_factor: cookie('second-factor'),
        trust_device: cookie('trusted'),
        dont_remember: cookie('short'),
      },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: ({ model }) => (model === 'user' ? false : crypto.randomUUID()) },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === 'closed',
      requireEmailVerification: true,
      minPasswordLength: limits.passwordCharactersMin,
      maxPasswordLength: limits.passwordCharactersMax,
      resetPasswordTokenExpiresIn: MAILED_LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: { hash: password => passwords.hash(password), verify: checked => passwords.verify(checked) },
      sendResetPassword: ({ user, token }, request) => {
        const mail = {
          to: user.email,
          subject: 'Reset your Vitrine password',
          text: `Choose a new password here (once, within an hour):\n\n${origin}/reset#${token}\n\nIf you didn't ask for it, do nothing.`,
        }
        return sendLimited('reset', mail, request)
      },
      // The link proves who reads the mail of this address; the previous password is void.
      onPasswordReset: async ({ user }) => {
        await markVerified(database, user.id)
        await forgetResetLinks(database, user.id)
      },
      onExistingUserSignUp: ({ user }) => sendLimited('confirm', accountExistsMail(user.email, origin)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: MAILED_LINK_SECONDS,
      // In a browser other than the one that signed up, the reader of the mail did not choose the password.
      beforeEmailVerification: async (user, request) => {
        const mark = request?.headers.get(SIGN_UP_MARK_HEADER) ?? ''
        const seal = request?.headers.get(SIGN_UP_SEAL_HEADER) ?? ''
        if (mark === '' || !marks.matches(seal, mark, user.email)) await dropPassword(database, user.id)
      },
      sendVerificationEmail: ({ user, token: bareToken }, request) => {
        const mark = request?.headers.get(SIGN_UP_MARK_HEADER) ?? null
        const token = mark === null ? bareToken : `${bareToken}${SEAL_SEPARATOR}${marks.sealOf(mark, user.email)}`
        const mail = {
          to: user.email,
          subject: 'Confirm your address for Vitrine',
          text: `Confirm that this address is yours (within an hour):\n\n${origin}/confirm#${token}\n\nIf you didn't ask for it, do nothing: no one can use the address without this link.`,
        }
        return sendLimited('confirm', mail)
      },
    },
    databaseHooks: {
      user: {
        create: {
          // The account is created first and provides the id. A sign-up never joins an account that an
          // operator created: its owner would confirm the address, and with it a stranger's password.
          before: async (user, context) => {
            if ((await accounts.findByEmail(user.email)) !== null) {
              await sendLimited('confirm', accountExistsMail(user.email, origin))
              throw new APIError('FORBIDDEN', { message: 'This address has an account.', code: 'EMAIL_TAKEN' })
            }
            const account = await accounts.create({ email: user.email })
            const by = { accountId: account.accountId, actor: 'account', network: networkIn(context) } as const
            audit.note({ ...by, action: 'sign_up' })
            return { data: { ...user, id: account.accountId } }
          },
        },
        update: {
          before: async change => {
            const { email } = change
            if (typeof email === 'string' && (await accounts.findByEmail(email)) !== null)
              throw new APIError('CONFLICT', { message: 'This address has an account.', code: 'EMAIL_TAKEN' })
          },
          after: async (user, context) => {
            const account = await accounts.get(user.id)
            if (account === null || account.email.toLowerCase() === user.email) return
            await accounts.changeEmail(user.id, user.email)
            const by = { accountId: user.id, actor: 'account', network: networkIn(context) } as const
            audit.note({ ...by, action: 'address_changed' })
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
      noSessionForNewAddress,
      secondFactorForLinks(),
    ],
  })
}

/**
 * Confirming a changed address creates no session: the library would sign in whichever browser opens the
 * link, and its reader may be someone else if the address was mistyped.
 */
const noSessionForNewAddress = {
  id: 'no-session-for-new-address',
  hooks: {
    after: [
      {
        matcher: ({ path, query }: HookInput) => path === '/verify-email' && changesAddress(query),
        handler: createAuthMiddleware(async ctx => {
          const { newSession, session } = ctx.context
          if (newSession === null || session !== null) return
          deleteSessionCookie(ctx)
          await ctx.context.internalAdapter.deleteSession(newSession.session.token)
          ctx.context.setNewSession(null)
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin

/** The library requires the second factor only after a password; here sign-in links require it, too. */
function secondFactorForLinks() {
  const plugin = twoFactor({
    issuer: 'Vitrine',
    twoFactorTable: 'sign_in_second_factors',
    schema: twoFactorColumns,
  })
  const after = plugin.hooks.after.map(hook => ({
    handler: hook.handler,
    matcher: (input: Parameters<typeof hook.matcher>[0] & HookInput) =>
      hook.matcher(input) ||
      input.path === '/magic-link/verify' ||
      (input.path === '/verify-email' && !changesAddress(input.query)),
  }))
  return { ...plugin, hooks: { after } }
}

type HookInput = { readonly path?: string; readonly query?: unknown }

const linkQuery = z.object({ token: z.string() })
const addressChange = z.object({ updateTo: z.string() })

/** Whether a link confirms a changed address. The library checks its signature. */
export function changesAddress(query: unknown): boolean {
  const { data } = linkQuery.safeParse(query)
  const payload = data?.token.split('.')[1] ?? ''
  try {
    return addressChange.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).success
  } catch {
    return false
  }
}

type AuthDependencies = {
  readonly database: Database
  readonly accounts: Accounts
  readonly audit: Pick<Audit, 'note'>
  readonly mailer: Mailer
  readonly passwords: PasswordHasher
  readonly settings: AuthSettings
  /** Whether a mail caused by a stranger is sent; `cookies` is the Cookie header of the request. */
  readonly mayMail?: (kind: StrangersMail, recipient: string, cookies: string | undefined) => Promise<boolean>
  /** How long a sign-in link is valid: 15 minutes by default. */
  readonly signInLinkSeconds?: number | undefined
  /** Called with the link that an operator requested. */
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

/** Sent to an address's owner when someone signs up with it again, which the page does not reveal. */
const accountExistsMail = (email: string, origin: string): Mail => ({
  to: email,
  subject: 'You have a Vitrine account already',
  text: `Somebody, perhaps you, wanted to create an account with this address, which has one.\n\nSign in: ${origin}/sign-in\nForgot the password: ${origin}/reset\n\nIf it wasn't you, do nothing.`,
})

/** Revokes reset links from before a password or address change: others may have them. */
export async function forgetResetLinks(database: Database, userId: string): Promise<void> {
  await database.queries.deleteFrom('sign_in_verifications').where('value', '=', userId).execute()
}

/** The network of the client whose request changes a row. */
function networkIn(context: { readonly request?: Request | undefined } | null | undefined): string | null {
  const address = context?.request?.headers.get(CLIENT_ADDRESS_HEADER) ?? null
  return address === null ? null : networkOf(address)
}

async function dropPassword(database: Database, userId: string): Promise<void> {
  await database.queries
    .deleteFrom('sign_in_credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
}

async function markVerified(database: Database, userId: string): Promise<void> {
  const verified = database.kind === 'sqlite' ? 1 : true
  await database.queries
    .updateTable('sign_in_users')
    .set({ email_verified: verified })
    .where('id', '=', userId)
    .execute()
}
