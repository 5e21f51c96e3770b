/** Accounts, their keys, sign-in, payments and the audit log. */
import type { Generated } from 'kysely'

export type AccountRole = 'owner' | 'operator' | 'customer'

export type AccountTables = {
  accounts: {
    id: string
    /** As the customer writes it. */
    email: string
    /** In lower case: unique. */
    email_key: string
    role: AccountRole
    created_at_ms: number
    /** Null for an active account. */
    suspended_at_ms: number | null
    /** When its personal data was erased; the ledger remains. */
    deleted_at_ms: number | null
  }
  api_keys: {
    id: string
    account_id: string
    name: string
    /** SHA-256 of the whole key, hexadecimal. The key itself is not stored. */
    key_hash: string
    /** The key's first 7 characters (`vt_` + 4), for display. */
    display: string
    created_at_ms: number
    revoked_at_ms: number | null
    /** Exact to the minute. */
    last_used_at_ms: number | null
    expires_at_ms: number | null
    /** Separated by commas. Null: all, including future ones. */
    scopes: string | null
    /** Addresses and networks as from `parseAllowedAddress`, separated by commas. Null: all. */
    allowed_addresses: string | null
    /** The key that replaces it. */
    replaced_by_key_id: string | null
    /** When a mail announced its expiry. */
    expiry_told_at_ms: number | null
  }
  publishable_keys: {
    id: string
    account_id: string
    name: string
    /** The whole key: it is embedded in pages, and not a secret. */
    key_text: string
    /** Origins as from `parsePageOrigin`, separated by spaces. */
    origins: string
    /** Separated by spaces. Null: all shared templates, including future ones. */
    template_ids: string | null
    /** Greatest width in pixels of what it opens. */
    width_px: number
    /** Drawn over the pictures; null for none. */
    watermark: string | null
    loads_per_day: number
    created_at_ms: number
    revoked_at_ms: number | null
  }
  /** The sign-in library's tables, as far as our own queries read them; the library writes them. */
  sign_in_users: {
    id: string
    name: string
    email: string
    email_verified: boolean | number
    image: string | null
    two_factor_enabled: boolean | number | null
    created_at: string | Date
    updated_at: string | Date
  }
  sign_in_sessions: {
    id: string
    token: string
    user_id: string
    expires_at: string | Date
    ip_address: string | null
    user_agent: string | null
    created_at: string | Date
    updated_at: string | Date
  }
  /** A token that was sent by mail. */
  sign_in_verifications: {
    id: string
    /** SHA-256 of its purpose and token. */
    identifier: string
    /** What it belongs to: for a password reset, the user's id. */
    value: string
  }
  sign_in_second_factors: { id: string; user_id: string }
  sign_in_credentials: {
    id: string
    account_id: string
    user_id: string
    provider_id: string
    password: string | null
    created_at: string | Date
    updated_at: string | Date
  }
  /** A started purchase of a pack, paid once `paid_at_ms` is set. Its id is the external id in the ledger. */
  payments: {
    id: string
    account_id: string
    credits: number
    price_cents: number
    created_at_ms: number
    paid_at_ms: number | null
    /** Credits that were taken back because the payment was refunded or disputed. */
    reversed_credits: number
    receipt_url: string | null
  }
  /** Append-only; deleted after 400 days. See service/src/audit. */
  audit_events: {
    sequence: Generated<number>
    at_ms: number
    account_id: string | null
    actor: 'account' | 'operator' | 'system'
    actor_id: string | null
    network: string | null
    action: string
    target: string | null
    outcome: 'ok' | 'failed'
  }
}
