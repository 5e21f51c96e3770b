/**
 * Requests and answers under `/dashboard/api`. Not part of the public interface: pages and service always
 * have the same version. Moments are ISO 8601 in UTC, days are UTC calendar days, one credit is one cent.
 */
import { z } from 'zod'
import { count, moment } from './dashboard-fields.ts'

/**
 * All pages of the dashboard, as router paths. The service answers each with the same document, which then
 * shows the page.
 */
export const pagePaths = [
  '/',
  '/sign-in',
  '/sign-up',
  '/enter',
  '/confirm',
  '/reset',
  '/templates',
  '/templates/new',
  '/templates/$id',
  '/templates/$id/edit',
  '/imports/$id',
  '/create',
  '/mockups',
  '/links',
  '/keys',
  '/credits',
  '/usage',
  '/requests',
  '/account',
  '/accounts',
  '/accounts/$id',
  '/audit',
] as const

/**
 * The body of a refusal. All fields are optional: the sign-in library uses `message` for `error`, and a proxy
 * may answer, too. `parameter` is from the public interface, `faults` are those of a template bundle.
 */
export const dashboardErrorBodySchema = z.object({
  error: z.string().optional(),
  message: z.string().optional(),
  code: z.string().optional(),
  hint: z.string().optional(),
  details: z.object({ parameter: z.string().optional(), faults: z.array(z.string()).optional() }).optional(),
})

const accountRoleSchema = z.enum(['customer', 'operator'])

export const dashboardSessionSchema = z.object({
  account: z.object({
    id: z.string(),
    email: z.string(),
    role: accountRoleSchema,
    email_verified: z.boolean(),
    has_password: z.boolean(),
    two_factor_enabled: z.boolean(),
    created_at: moment,
  }),
  /** The features of this service: pages offer nothing else. */
  service: z.object({ base_url: z.string(), payments: z.boolean(), mail: z.boolean() }),
})
export type DashboardSession = z.infer<typeof dashboardSessionSchema>

/** The options offered before sign-in. */
export const signInOptionsSchema = z.object({ sign_up: z.boolean(), mail: z.boolean() })
export type SignInOptions = z.infer<typeof signInOptionsSchema>

/** The sign-in library's answer to a password: whether a second factor is required. */
export const signInAnswerSchema = z.object({ twoFactorRedirect: z.boolean().optional() })

/** The sign-in library's answer to setting up a second factor. */
export const secondFactorSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
export type SecondFactor = z.infer<typeof secondFactorSchema>

/** A browser that is signed in. */
const openSessionSchema = z.object({
  id: z.string(),
  /** As text: "Firefox on Linux". */
  browser: z.string(),
  address: z.string().nullable(),
  created_at: moment,
  /** Exact to the hour. */
  last_used_at: moment,
  /** Whether it is the current session. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof openSessionSchema>
export const openSessionsSchema = z.object({ sessions: z.array(openSessionSchema) })
export type OpenSessions = z.infer<typeof openSessionsSchema>

/** An account and its activity, for operators. `_30d` are the last thirty UTC days, including today. */
export const dashboardAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: accountRoleSchema,
  created_at: moment,
  suspended_at: moment.nullable(),
  spendable_credits: count,
  key_count: count,
  mockups_30d: count,
  credits_30d: count,
  /** The last logged request, or the last use of a key, to the minute. */
  last_active_at: moment.nullable(),
  /** At the pace of these days; null if nothing was spent in them. */
  runs_out_in_days: count.nullable(),
})
export type DashboardAccount = z.infer<typeof dashboardAccountSchema>

/** By activity: most recently active, most mockups, or running out soonest, first. */
const figureOrders = ['active', 'mockups', 'runs-out'] as const

export type AccountFigureOrder = (typeof figureOrders)[number]

/** The order of a list of accounts. */
export const accountOrderSchema = z.enum(['oldest', 'newest', 'email', 'credits', ...figureOrders])
export type AccountOrder = z.infer<typeof accountOrderSchema>

/** Whether an order requires the figures of all accounts. */
export const isFigureOrder = (order: AccountOrder): order is AccountFigureOrder =>
  figureOrders.some(each => each === order)

/** One page of all accounts. */
export const accountListSchema = z.object({
  accounts: z.array(dashboardAccountSchema),
  total: count,
  page: count,
  total_pages: count,
})
export type AccountList = z.infer<typeof accountListSchema>

export const newAccountSchema = z.object({
  /** Refused as INVALID_EMAIL if it is not an e-mail address. */
  email: z.string().trim(),
  credits: z.int().min(0).max(10_000_000).default(0),
})

/** A sign-in link: null if it was sent by mail, otherwise for the operator to pass on. */
export const invitationSchema = z.object({
  account_id: z.string(),
  email: z.string(),
  sign_in_url: z.string().nullable(),
  /** Until then it signs in, once. */
  expires_at: moment,
})
export type Invitation = z.infer<typeof invitationSchema>

export const grantSchema = z.object({
  credits: z.int().min(1).max(10_000_000),
  reason: z.string().trim().min(1).max(200),
  grant_id: z.uuid(),
})

/** All actions in the audit log, with the text that pages show. */
export const auditActions = {
  sign_in: 'Sign-in',
  sign_in_link: 'Sign-in link made',
  sign_up: 'Sign-up',
  address_confirmed: 'Address confirmed',
  address_changed: 'Address changed',
  password_set: 'Password set',
  password_changed: 'Password changed',
  password_reset: 'Password reset',
  second_factor_on: 'Second factor switched on',
  second_factor_off: 'Second factor switched off',
  backup_codes_made: 'Backup codes made',
  session_ended: 'Session ended',
  key_created: 'Key created',
  key_rotated: 'Key rotated',
  key_revoked: 'Key revoked',
  publishable_key_created: 'Publishable key created',
  publishable_key_changed: 'Publishable key changed',
  publishable_key_revoked: 'Publishable key revoked',
  credits_granted: 'Credits granted',
  purchase: 'Purchase',
  payment_not_credited: 'Payment not credited',
  template_imported: 'Template imported',
  template_removed: 'Template removed',
  template_restored: 'Earlier version of a template restored',
  template_shared: 'Template shared with every account',
  template_unshared: 'Template made private',
  mockups_removed: 'Mockups removed',
  proof_created: 'Link for a customer created',
  proof_answered: 'Link for a customer answered',
  proof_approved: 'Approved by a customer',
  proof_revoked: 'Link for a customer ended',
  proof_removed: 'Link for a customer removed',
  account_created: 'Account created',
  account_suspended: 'Account suspended',
  account_restored: 'Account restored',
  account_deleted: 'Account deleted',
} as const
export type AuditAction = keyof typeof auditActions
// Object.keys is typed as strings; the table above has exactly these keys.
export const auditActionSchema = z.enum(Object.keys(auditActions) as AuditAction[])

const auditEventSchema = z.object({
  id: z.int(),
  at: moment,
  action: auditActionSchema,
  outcome: z.enum(['ok', 'failed']),
  actor: z.enum(['account', 'operator', 'system']),
  /** Addresses, for operators: null for customers, and for accounts that are gone. */
  actor_email: z.string().nullable(),
  account_email: z.string().nullable(),
  /** The client's network: an IPv4 address or an IPv6 /64. */
  network: z.string().nullable(),
  target: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEventSchema>

/** One page of the audit log, newest first. */
export const auditListSchema = z.object({ events: z.array(auditEventSchema), total: count, total_pages: count })
export type AuditList = z.infer<typeof auditListSchema>
