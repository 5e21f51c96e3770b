import type { Invitation } from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'
import type { DashboardServices } from './dashboard-services.ts'

/**
 * Lets the person of an account in: their mail gets a link. Where no mail is sent the operator gets it, to hand it over. With
 * mail an operator never sees a link that leads into somebody else's account.
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
    subject: 'Come in to Vitrine',
    text: `You have an account at ${origin}. This link signs you in, once, within 15 minutes:\n\n${url}\n\nLater, choose a password for this address here: ${origin}/reset`,
  })
  return { ...invitation, sign_in_url: null }
}
