/** Wallets, the ledger and its archive, usage and the request log. */
import type { Generated } from 'kysely'

/** The books of a wallet. `spendable` is the displayed balance. */
export type Book = 'granted' | 'purchased' | 'spendable' | 'reserved' | 'consumed'

export type ReservationState = 'reserved' | 'settled' | 'released' | 'expired'

export type EntryKind = 'grant' | 'purchase' | 'reserve' | 'settle' | 'release' | 'expire' | 'refund' | 'reverse'

/** The sums over all archived entries of the account up to the end of a part. Nothing is reserved in it. */
type SealedBooks = Record<Exclude<Book, 'reserved'>, number>

export type LedgerTables = {
  /** Sums over the account's ledger entries, so that the database can refuse a negative one. */
  wallets: { account_id: string } & Record<Book, number>
  reservations: {
    id: string
    account_id: string
    /** The request's key; null for a render from the dashboard. */
    key_id: string | null
    request_id: string
    credits: number
    /** How much of a settled reservation has since been refunded. */
    refunded: Generated<number>
    state: ReservationState
    /** The process that works on it; if it dies, the credits are released. */
    instance_id: string
    created_at_ms: number
    expires_at_ms: number
    resolved_at_ms: number | null
    /** Why it was released, for people to read. */
    cause: string | null
  }
  /** Append-only. Each row moves credits from one of an account's books (debit) to another (credit). */
  ledger_entries: {
    sequence: Generated<number>
    id: string
    account_id: string
    kind: EntryKind
    debit_book: Book
    credit_book: Book
    credits: number
    reservation_id: string | null
    /** The payment's id, for a purchase or grant. Unique. */
    external_id: string | null
    reason: string | null
    created_at_ms: number
  }
  /** Append-only. One row per part of an account's archive; parts are numbered from 1. */
  sealed_balances: {
    account_id: string
    part: number
    /** All archived entries of this and earlier parts are older. */
    before_ms: number
    /** The number of entries in this part. */
    entries: number
    /** SHA-256, hexadecimal, over the digest of the previous part and the lines of this one. */
    digest: string
    sealed_at_ms: number
  } & SealedBooks
  /** Credits that an account's keys consumed and got back in one part of its archive; see `credit_days`. */
  sealed_credits: {
    account_id: string
    part: number
    key_id: string
    consumed: number
    refunded: number
  }
  /** External ids of archived entries: none may be reused. */
  sealed_external_ids: { external_id: string; account_id: string }
  /** Here and in `credit_days`, an empty `key_id` stands for renders from the dashboard. */
  usage_days: {
    account_id: string
    key_id: string
    /** UTC, `YYYY-MM-DD`. */
    day: string
    total: number
    successful: number
    failed: number
  }
  /** Sums over the ledger by the day of the mockup, updated by a trigger. `consumed` is net of refunds. */
  credit_days: { account_id: string; key_id: string; day: string; consumed: number; refunded: number }
  usage_failures: { account_id: string; key_id: string; day: string; code: string; count: number }
  usage_templates: {
    account_id: string
    key_id: string
    day: string
    template_id: string
    count: number
  }
  /**
   * Sums over `usage_templates` of all keys, updated by a trigger. `span` is a day or a month (`YYYY-MM`); an
   * empty template id, for days only, stands for all templates.
   */
  usage_sums: { account_id: string; span: string; template_id: string; count: number }
  /** Requests of accounts in the last weeks, without bodies. See service/src/usage/request-log.ts. */
  request_log: {
    account_id: string
    at_ms: number
    request_id: string
    /** Empty for renders from the dashboard. */
    key_id: string
    /** Method and path as documented. */
    endpoint: string
    /** The requested templates, separated by commas. */
    template_ids: string
    /** 499 if the client left before the answer began. */
    status: number
    code: string | null
    /** The message of the error that was answered. */
    reason: string | null
    duration_ms: number
    /** Net of refunds. */
    credits: number
    /** 1 if a saved answer was sent, without a charge. */
    replayed: number
  }
}
