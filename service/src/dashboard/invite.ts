import { type Invitation, limits } from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'
import { HOUR_S } from '../sign-in/limits.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { isoOf } from './resources.ts'

/**
 * Creates a sign-in link for an account's owner, valid until the next morning. It is sent by mail, and the
 * operator never sees it; without a mail server the operator gets it, to pass it on.
 */
export async function invite(
  { signInLink, mailer, origin, clock }: Pick<DashboardServices, 'signInLink' | 'mailer' | 'origin' | 'clock'>,
  account: Account,
): Promise<Invitation> {
  const seconds = limits.handedLinkHours * HOUR_S
  const expires_at = isoOf(clock() + seconds * 1000)
  const url = await signInLink(account, seconds)
  const invitation = { account_id: account.accountId, email: account.email, expires_at }
  if (!mailer.sendsMail) return { ...invitation, sign_in_url: url }
  await mailer.send({
    to: account.email,
    subject: 'Sign in to Vitrine',
    text: `You have an account at ${origin}. This link signs you in, once, within ${limits.handedLinkHours} hours:\n\n${url}\n\nLater, choose a password for this address here: ${origin}/reset`,
  })
  return { ...invitation, sign_in_url: null }
}
