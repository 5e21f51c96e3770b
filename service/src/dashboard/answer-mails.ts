import type { Proof } from '../proofs/proof-rows.ts'
import { ANSWER_MAILS_PER_ACCOUNT, HOUR_S } from '../sign-in/limits.ts'
import type { DashboardServices } from './dashboard-services.ts'

/**
 * Notifies a shop by mail that a customer answered one of its links. The mail does not include what strangers
 * write, and there are only a few per hour: the page of links has every answer.
 */
export async function mailAnswer(
  { accounts, mailer, rateLimiter, origin }: Pick<DashboardServices, 'accounts' | 'mailer' | 'rateLimiter' | 'origin'>,
  { accountId, title }: Pick<Proof, 'accountId' | 'title'>,
  isApproved: boolean,
): Promise<void> {
  if (!mailer.sendsMail) return
  const limits = [{ windowSeconds: HOUR_S, limit: ANSWER_MAILS_PER_ACCOUNT }]
  const { allowed } = await rateLimiter.count({ subject: `mail:answer:${accountId}`, limits, isStrict: true })
  if (!allowed) return
  const account = await accounts.get(accountId)
  if (account === null) return
  await mailer.send({
    to: account.email,
    subject: isApproved ? 'A customer approved your scenes' : 'A customer answered your link',
    text: `The link “${title}” was ${isApproved ? 'approved' : 'answered'}. The answer, with any attached file: ${origin}/links`,
  })
}
