/**
 * Requests and answers under `/dashboard/api`. Not part of the public interface: pages and service always
 * have the same version. Moments are ISO 8601 in UTC, days are UTC calendar days, one credit is one cent.
 */
import { z } from 'zod'
import { keyScopeSchema } from './key-scopes.ts'
import { limits } from './limits.ts'
import { pagination, template } from './template.ts'

const count = z.int().nonnegative()
const moment = z.iso.datetime()

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

const dashboardKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The key's first 7 characters. */
  prefix: z.string(),
  created_at: moment,
  last_used_at: moment.nullable(),
  revoked_at: moment.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
  expires_at: moment.nullable(),
  /** Null: all, including future ones. */
  scopes: z.array(keyScopeSchema).nullable(),
  /** Addresses and networks (CIDR) that may use it. Null: all. */
  allowed_addresses: z.array(z.string()).nullable(),
  /** The key that replaces it. */
  replaced_by: z.string().nullable(),
  request_count: count,
  credits_consumed: count,
})
export type DashboardKey = z.infer<typeof dashboardKeySchema>

/** One page of an account's keys. */
export const keyListSchema = z.object({
  keys: z.array(dashboardKeySchema),
  /** Keys that match the search, on all pages. */
  total: count,
  total_pages: count,
  /** The account's keys, whatever the search, and how many of them work. */
  in_all: count,
  active: count,
})
export type KeyList = z.infer<typeof keyListSchema>

/** A key without the optional fields may do everything, from anywhere, for ever. */
export const newKeySchema = z.object({
  name: z.string().trim().min(1).max(limits.keyNameCharactersMax),
  expires_at: moment.nullish(),
  scopes: z.array(keyScopeSchema).min(1).nullish(),
  allowed_addresses: z.array(z.string()).max(limits.keyAddressesMax).nullish(),
})
export type NewKey = z.input<typeof newKeySchema>

export const keyRotationSchema = z.object({
  overlap_hours: z.int().min(0).max(limits.keyOverlapHoursMax).default(limits.keyOverlapHoursDefault),
  /** When the new key expires. Missing: it lives as long as the old one was created for; null: for ever. */
  expires_at: moment.nullish(),
})
export type KeyRotation = z.input<typeof keyRotationSchema>

/** The only answers that contain a key. */
export const createdKeySchema = z.object({ id: z.string(), name: z.string(), key: z.string() })
export type CreatedKey = z.infer<typeof createdKeySchema>
export const rotatedKeySchema = createdKeySchema.extend({ old_key_ends_at: moment })
export type RotatedKey = z.infer<typeof rotatedKeySchema>

export const publishableKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The whole key, which is not secret. */
  key: z.string(),
  origins: z.array(z.string()),
  /** Null: all shared templates. */
  template_ids: z.array(z.string()).nullable(),
  /** Greatest width in pixels. */
  width: count,
  /** Null: none. */
  watermark: z.string().nullable(),
  loads_per_day: count,
  created_at: moment,
  revoked_at: moment.nullable(),
})
export type PublishableKeyResource = z.infer<typeof publishableKeySchema>

/** The account's publishable keys, newest first. */
export const publishableKeyListSchema = z.object({ keys: z.array(publishableKeySchema) })
export type PublishableKeyList = z.infer<typeof publishableKeyListSchema>

export const newPublishableKeySchema = z.object({
  name: z.string().trim().min(1).max(limits.keyNameCharactersMax),
  origins: z.array(z.string()).max(limits.pageOriginsMax),
  template_ids: z.array(z.string()).max(limits.pageTemplatesMax).nullish(),
  width: z.int().default(limits.pageWidthPxMax),
  watermark: z.string().nullish(),
  loads_per_day: z.int().default(limits.pageLoadsPerDayDefault),
})
export type NewPublishableKey = z.input<typeof newPublishableKeySchema>

const creditPackSchema = z.object({ credits: count, price_cents: count })
export type CreditPack = z.infer<typeof creditPackSchema>

/** Packs on sale: 1 to 0.7 cents per mockup. */
export const creditPacks: readonly CreditPack[] = [
  { credits: 100, price_cents: 100 },
  { credits: 1_000, price_cents: 900 },
  { credits: 5_000, price_cents: 4_000 },
  { credits: 10_000, price_cents: 7_000 },
]

const movementSchema = z.object({
  id: z.string(),
  at: moment,
  /**
   * `opening` is the balance left by all archived movements; it is only shown among all, before the others.
   */
  kind: z.enum(['grant', 'purchase', 'mockup', 'refund', 'reversal', 'restoration', 'opening']),
  /** Signed: the change of the balance. */
  credits: z.int(),
  /** Why, as text: the operator's reason, the pack, how many mockups. */
  cause: z.string(),
  /** For mockups whose request is still logged; the name is null if the template is gone. */
  templates: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  key_name: z.string().nullable(),
  receipt_url: z.string().nullable(),
})
export type Movement = z.infer<typeof movementSchema>

/** Filters movements: each except the opening balance is in exactly one filter besides `all`. */
export const movementFilterSchema = z.enum(['all', 'received', 'spent', 'returned'])
export type MovementFilter = z.infer<typeof movementFilterSchema>

export const movementOrderSchema = z.enum(['newest', 'oldest'])
export type MovementOrder = z.infer<typeof movementOrderSchema>

export const creditsSchema = z.object({
  spendable_credits: count,
  reserved_credits: count,
  packs: z.array(creditPackSchema),
  movements: z.array(movementSchema),
  /** The cursor of the next page; null on the last page. */
  next_after: z.string().nullable(),
})
export type Credits = z.infer<typeof creditsSchema>

/** The URL of the page where a pack is paid. */
export const checkoutSchema = z.object({ url: z.string() })
export type Checkout = z.infer<typeof checkoutSchema>

/** A started payment: the credits it buys, and whether they have been credited. */
export const paymentSchema = z.object({ credits: count, credited: z.boolean() })
export type Payment = z.infer<typeof paymentSchema>

const usageFigures = { requests: count, succeeded: count, failed: count, mockups: count, credits: count }

export const dashboardUsageSchema = z.object({
  days: z.array(z.object({ date: z.iso.date(), ...usageFigures })),
  totals: z.object(usageFigures),
  failures_by_code: z.array(z.object({ code: z.string(), count })),
  /** The name is null if the template is gone. */
  top_templates: z.array(z.object({ template_id: z.string(), name: z.string().nullable(), count })),
})
export type DashboardUsage = z.infer<typeof dashboardUsageSchema>

const loggedRequestSchema = z.object({
  id: z.string(),
  /** The account that sent it; null in a list of one account. */
  account: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  at: moment,
  /** Method and path. */
  endpoint: z.string(),
  /** Null for a request from the dashboard. */
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  template_ids: z.array(z.string()),
  /** 499 if the client left before the answer began. */
  status: z.int(),
  code: z.string().nullable(),
  /** Why it failed, and what can be done, in sentences. */
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  duration_ms: count,
  credits: count,
  /** A saved answer was sent again, without a charge. */
  replayed: z.boolean(),
})
export type LoggedRequest = z.infer<typeof loggedRequestSchema>

export const requestOutcomeSchema = z.enum(['ok', 'failed'])
export type RequestOutcome = z.infer<typeof requestOutcomeSchema>

/** The last hour, day, week or everything in the log. */
export const requestPeriodSchema = z.enum(['1h', '24h', '7d', '30d'])
export type RequestPeriod = z.infer<typeof requestPeriodSchema>

/** One page of requests, newest first. */
export const requestListSchema = z.object({
  requests: z.array(loggedRequestSchema),
  /** The cursor of the next page; null on the last page. */
  next_after: z.string().nullable(),
})
export type RequestList = z.infer<typeof requestListSchema>

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

/** No control characters, and no unpaired surrogates. */
const templateTag = z
  .string()
  .trim()
  .min(1)
  .max(limits.templateTagCharactersMax)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'has characters that cannot be seen')

/** The signed-in account's own marks, for finding a template again. */
export const templateMarksSchema = z.object({
  favourite: z.boolean(),
  tags: z.array(templateTag).max(limits.templateTagsMax).readonly(),
})
export type TemplateMarks = z.infer<typeof templateMarksSchema>

/** A template as the dashboard shows it: the public resource, its owner, and its marks. */
export const dashboardTemplateSchema = template.extend({
  ...templateMarksSchema.shape,
  version: z.int().positive(),
  owner: z.enum(['shared', 'own']),
  /** Whether the signed-in account may edit and remove it. */
  editable: z.boolean(),
  /** Whether the signed-in account may download the whole bundle. */
  downloadable: z.boolean(),
  /** The path of a preview's files: the bundle's own, or reduced ones. Unique to each version. */
  preview_path: z.string(),
  /** Preview packs: everything a browser needs to show the template at a width, each in one file. */
  packs: z.array(z.object({ width_px: count, path: z.string() })),
  /**
   * What a gallery shows before the picture has loaded: its size, a tiny picture (data:), and the frames'
   * outlines relative to it.
   */
  look: z
    .object({
      width_px: count,
      height_px: count,
      tiny: z.string(),
      outlines: z.array(z.array(z.tuple([z.number(), z.number()]))),
    })
    .nullable(),
  imported_at: moment,
})
export type DashboardTemplate = z.infer<typeof dashboardTemplateSchema>

export const dashboardTemplateListSchema = z.object({
  templates: z.array(dashboardTemplateSchema),
  pagination,
  categories: z.array(z.string()),
  /** All tags of the account. */
  tags: z.array(z.string()),
})
export type DashboardTemplateList = z.infer<typeof dashboardTemplateListSchema>

/** How a version of a template was made. `import`: as a bundle made elsewhere. */
export const templateOriginSchema = z.enum(['import', 'editor', 'photoshop', 'photo'])
export type TemplateOrigin = z.infer<typeof templateOriginSchema>

/** The current version of a template, then the earlier ones that can be restored, newest first. */
export const templateVersionListSchema = z.object({
  versions: z.array(
    z.object({
      version: z.int().positive(),
      current: z.boolean(),
      name: z.string(),
      made_at: moment,
      origin: templateOriginSchema,
      /** The number that it had before it was restored; null if it was not restored. */
      restored_from: z.int().positive().nullable(),
      size_bytes: count,
      thumbnail_path: z.string(),
    }),
  ),
})
export type TemplateVersionList = z.infer<typeof templateVersionListSchema>

export const restoreVersionSchema = z.object({ version: z.int().positive() })

export const importedTemplateSchema = z.object({ id: z.string() })
export type ImportedTemplate = z.infer<typeof importedTemplateSchema>

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
