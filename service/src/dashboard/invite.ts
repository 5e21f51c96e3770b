import type { Invitation } from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'
import type { DashboardServices } from './dashboard-services.ts'

/**
 * Makes a sign-in link for the person of an account. It goes by mail, and the operator never sees it; without
 * a mail server the operator gets it, to pass it on.
 */
export async function invite(
  { signInLink, mailer, origin }: Pick<DashboardServices, 'signInLink' | 'mailer' | 'origin'>,
  account: Account,
): Promise<Invitation> {
  const url = await signInLink(account)
  const invitation = { account_id: account.accountId, email: account.email }
  if (!mailer.sendsMail) return { ...invitation, sign_in_url: url }
  await mailer.send({
    to: account.email,
    subject: 'Sign in to Vitrine',
    text: `You have an account at ${origin}. This link signs you in, once, within 15 minutes:\n\n${url}\n\nLater, choose a password for this address here: ${origin}/reset`,
  })
  return { ...invitation, sign_in_url: null }
}
