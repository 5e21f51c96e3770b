/** Secret and publishable keys, as seen by pages. */
import { z } from 'zod'
import { count, moment } from './dashboard-fields.ts'
import { keyScopeSchema } from './key-scopes.ts'
import { limits } from './limits.ts'

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

/** A key without the optional fields has all scopes, from every address, and never expires. */
export const newKeySchema = z.object({
  name: z.string().trim().min(1).max(limits.keyNameCharactersMax),
  expires_at: moment.nullish(),
  scopes: z.array(keyScopeSchema).min(1).nullish(),
  allowed_addresses: z.array(z.string()).max(limits.keyAddressesMax).nullish(),
})
export type NewKey = z.input<typeof newKeySchema>

export const keyRotationSchema = z.object({
  overlap_hours: z.int().min(0).max(limits.keyOverlapHoursMax).default(limits.keyOverlapHoursDefault),
  /** When the new key expires. Missing: after as long as the old one was created for; null: never. */
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
