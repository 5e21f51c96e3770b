import type { AuditAction } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts/accounts.ts'
import { networkOf } from '../rate-limits/address-subject.ts'
import type { DashboardServices, Visitor } from './dashboard-services.ts'

/** Events that an account's owner is notified of by mail, in case someone else caused them. */
const notices: Partial<Record<AuditAction, string>> = {
  password_set: 'A password was set for your account.',
  password_changed: 'The password of your account has changed, and all other sessions have ended.',
  password_reset: 'The password of your account was reset by a link that was sent by mail.',
  second_factor_on: 'Sign-ins to your account now ask for a second factor.',
  second_factor_off: 'Sign-ins to your account no longer ask for a second factor.',
  backup_codes_made: 'New backup codes were made for your account; the previous ones no longer work.',
  key_created: 'A new API key was made for your account.',
  key_rotated: 'A new API key was made to replace one of your account, which ends soon.',
  publishable_key_created: 'A new publishable key, for previews in web pages, was made for your account.',
  publishable_key_changed: 'A publishable key of your account, for previews in web pages, opens something else now.',
}

/** An action in the dashboard. */
type AccountEvent = {
  readonly account: Pick<Account, 'accountId' | 'email'>
  readonly action: AuditAction
  readonly target?: string
  readonly outcome?: 'ok' | 'failed'
  /** The operator who did it to the account. */
  readonly operator?: Visitor
}

/** Records an event in the audit log, and notifies the account's owner if they should know. */
export function noteEvent(
  { audit, mailer, origin }: Pick<DashboardServices, 'audit' | 'mailer' | 'origin'>,
  request: FastifyRequest,
  { account, action, target, outcome = 'ok', operator }: AccountEvent,
): void {
  audit.note({
    accountId: account.accountId,
    actor: operator === undefined ? 'account' : 'operator',
    actorId: operator?.account.accountId ?? null,
    network: networkOf(request.state.clientAddress),
    action,
    target: target ?? null,
    outcome,
  })
  const notice = notices[action]
  if (notice === undefined || outcome === 'failed' || !mailer.sendsMail) return
  void mailer.send({
    to: account.email,
    subject: 'Your Vitrine account',
    text: `${notice}\n\nIf this was not you, choose a new password at once: ${origin}/reset\nWhat happened lately, and the browsers that are signed in: ${origin}/account`,
  })
}
