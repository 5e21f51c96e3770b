import { emailAddressSchema } from '@vitrine/contract'
import { type Account, type Accounts, InvalidEmailError } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import type { Settings } from '../settings/load-settings.ts'
import { publicUrlOf } from '../settings/public-url.ts'
import { createAuth } from './auth.ts'
import { loadAuthSecret } from './auth-secret.ts'
import { PasswordHasher } from './password-hasher.ts'

/** Makes sure that an account has a user in the sign-in tables. Its address is unverified. */
export async function ensureUser(
  database: Database,
  { accountId, email }: Pick<Account, 'accountId' | 'email'>,
): Promise<void> {
  const now = new Date()
  const moment = database.kind === 'sqlite' ? now.toISOString() : now
  const verified = database.kind === 'sqlite' ? 0 : false
  await database.queries
    .insertInto('sign_in_users')
    .values({
      id: accountId,
      name: email,
      email: email.toLowerCase(),
      email_verified: verified,
      image: null,
      two_factor_enabled: verified,
      created_at: moment,
      updated_at: moment,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** For someone who has lost it: sign-ins require no second factor until it is set up again. */
export async function removeSecondFactor(database: Database, accountId: string): Promise<void> {
  const disabled = database.kind === 'sqlite' ? 0 : false
  await database.queries.deleteFrom('sign_in_second_factors').where('user_id', '=', accountId).execute()
  await database.queries
    .updateTable('sign_in_users')
    .set({ two_factor_enabled: disabled })
    .where('id', '=', accountId)
    .execute()
}

/** `createSignInLink` for a service with these settings. */
export async function signInLinkOf(
  services: { readonly database: Database; readonly accounts: Accounts },
  settings: Settings,
  account: Account,
): Promise<string> {
  const secret = await loadAuthSecret({ setting: settings.AUTH_SECRET, dataDir: settings.DATA_DIR })
  return createSignInLink(services, account, { origin: new URL(publicUrlOf(settings)).origin, secret })
}

/**
 * A link that signs in as an account, once, within `seconds` (default 15 minutes). For operators.
 * @throws InvalidEmailError
 */
export async function createSignInLink(
  { database, accounts }: { readonly database: Database; readonly accounts: Accounts },
  account: Account,
  { seconds, ...settings }: { readonly origin: string; readonly secret: string; readonly seconds?: number },
): Promise<string> {
  if (!emailAddressSchema.safeParse(account.email).success)
    throw new InvalidEmailError(
      `No one can sign in with ${account.email}, which is not an e-mail address: create an account with another one.`,
    )
  await ensureUser(database, account)
  const user = await database.queries
    .selectFrom('sign_in_users')
    .select('email')
    .where('id', '=', account.accountId)
    .executeTakeFirst()
  // A link is for an address: it must never lead to an account other than the requested one.
  if (user === undefined) throw new Error(`the address of ${account.accountId} signs in to another account`)
  let made: string | null = null
  const auth = createAuth({
    database,
    accounts,
    audit: { note: () => undefined },
    mailer: { sendsMail: false, send: () => Promise.resolve() },
    passwords: new PasswordHasher(),
    settings: { ...settings, signUp: 'closed' },
    signInLinkSeconds: seconds,
    onSignInLink: ({ url }) => {
      made = url
    },
  })
  await auth.api.signInMagicLink({ body: { email: user.email }, headers: new Headers() })
  if (made === null) throw new Error(`no sign-in link was made for ${account.accountId}`)
  return made
}
