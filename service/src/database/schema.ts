import type { TemplateOrigin } from '@vitrine/contract'
import type { Generated, Selectable } from 'kysely'

/**
 * All tables. Times are in whole milliseconds since 1970 (`_ms`), amounts in whole credits, ids from `newId`.
 */
export type Schema = {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  publishable_keys: PublishableKeysTable
  wallets: WalletsTable
  reservations: ReservationsTable
  ledger_entries: LedgerEntriesTable
  credit_days: CreditDaysTable
  sealed_balances: SealedBalancesTable
  sealed_credits: SealedCreditsTable
  sealed_external_ids: SealedExternalIdsTable
  instances: InstancesTable
  usage_days: UsageDaysTable
  usage_failures: UsageFailuresTable
  usage_templates: UsageTemplatesTable
  usage_sums: UsageSumsTable
  request_log: RequestLogTable
  rate_windows: RateWindowsTable
  idempotency_keys: IdempotencyKeysTable
  kept_answers: KeptAnswersTable
  leases: LeasesTable
  templates: TemplatesTable
  template_remains: TemplateRemainsTable
  template_versions: TemplateVersionsTable
  template_marks: TemplateMarksTable
  proofs: ProofsTable
  proof_answers: ProofAnswersTable
  proof_rooms: ProofRoomsTable
  proof_stills: ProofStillsTable
  stored_mockups: StoredMockupsTable
  psd_imports: PsdImportsTable
  psd_import_parts: PsdImportPartsTable
  first_run_steps: FirstRunStepsTable
  sign_in_users: SignInUsersTable
  sign_in_sessions: SignInSessionsTable
  sign_in_credentials: SignInCredentialsTable
  sign_in_verifications: SignInVerificationsTable
  sign_in_second_factors: SignInSecondFactorsTable
  payments: PaymentsTable
  audit_events: AuditEventsTable
  first_run_claims: FirstRunClaimsTable
  installation: InstallationTable
  schema_migrations: { name: string; applied_at_ms: number }
  /** Whether a program that does not know a migration may use the database: see `Migration`. */
  schema_compatibility: { name: string; needs: string | null }
}

export type AccountRole = 'owner' | 'operator' | 'customer'

type AccountsTable = {
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

type ApiKeysTable = {
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

type PublishableKeysTable = {
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

/** The books of a wallet. `spendable` is the displayed balance. */
export type Book = 'granted' | 'purchased' | 'spendable' | 'reserved' | 'consumed'

/** Sums over the account's ledger entries, so that the database can refuse a negative one. */
type WalletsTable = { account_id: string } & Record<Book, number>

export type ReservationState = 'reserved' | 'settled' | 'released' | 'expired'

type ReservationsTable = {
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

export type EntryKind = 'grant' | 'purchase' | 'reserve' | 'settle' | 'release' | 'expire' | 'refund' | 'reverse'

/** Append-only. Each row moves credits from one of an account's books (debit) to another (credit). */
type LedgerEntriesTable = {
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
type SealedBalancesTable = {
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

/** The sums over all archived entries of the account up to the end of a part. Nothing is reserved in it. */
type SealedBooks = Record<Exclude<Book, 'reserved'>, number>

/** Credits that an account's keys consumed and got back in one part of its archive; see `credit_days`. */
type SealedCreditsTable = { account_id: string; part: number; key_id: string; consumed: number; refunded: number }

/** External ids of archived entries: none may be reused. */
type SealedExternalIdsTable = { external_id: string; account_id: string }

type InstancesTable = { id: string; started_at_ms: number; heartbeat_at_ms: number }

/** Here and in `credit_days`, an empty `key_id` stands for renders from the dashboard. */
type UsageDaysTable = {
  account_id: string
  key_id: string
  /** UTC, `YYYY-MM-DD`. */
  day: string
  total: number
  successful: number
  failed: number
}

/** Sums over the ledger by the day of the mockup, updated by a trigger. `consumed` is net of refunds. */
type CreditDaysTable = { account_id: string; key_id: string; day: string; consumed: number; refunded: number }

type UsageFailuresTable = { account_id: string; key_id: string; day: string; code: string; count: number }

type UsageTemplatesTable = { account_id: string; key_id: string; day: string; template_id: string; count: number }

/**
 * Sums over `usage_templates` of all keys, updated by a trigger. `span` is a day or a month (`YYYY-MM`); an
 * empty template id, for days only, stands for all templates.
 */
type UsageSumsTable = { account_id: string; span: string; template_id: string; count: number }

/** Requests with an account of the last weeks, without their bodies. See service/src/usage/request-log.ts. */
type RequestLogTable = {
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

type RateWindowsTable = {
  subject: string
  window_seconds: number
  started_at_ms: number
  ends_at_ms: number
  count: number
}

type IdempotencyKeysTable = {
  account_id: string
  idempotency_key: string
  /** SHA-256 over the parsed parameters and the uploaded bytes. */
  request_hash: string
  state: 'running' | 'finished'
  instance_id: string
  /**
   * The key of the answer's body in object storage, and the rest of the answer as JSON. Null while running.
   */
  body_object_key: string | null
  answer: string | null
  size_bytes: number
  created_at_ms: number
  finished_at_ms: number | null
  /** Identifies the answer in the URLs of its pictures. Null while running. */
  link_id: string | null
}

/**
 * The number of saved answers of an account and their bodies' size, updated by triggers on
 * `idempotency_keys`.
 */
type KeptAnswersTable = { account_id: string; answers: number; size_bytes: number }

/** The process that holds a lease for work done once for all nodes, until it renews it or the lease ends. */
type LeasesTable = { name: string; instance_id: string; ends_at_ms: number }

/** One row for every id that an owner ever used, which is never reused for another template of this owner. */
type TemplatesTable = TemplateVersionColumns & {
  /** The row's id: the template's id, or a random one if another owner has a row with that id. */
  id: string
  /** The template's id, unique for each owner. Null if it equals `id`. */
  template_id: string | null
  /** Null for a template shared with everyone. */
  owner_account_id: string | null
  removed_at_ms: number | null
}

/** A version that was replaced, and can be restored. See service/src/templates/earlier-versions.ts. */
type TemplateVersionsTable = TemplateVersionColumns & {
  /** `id` of its template. */
  template_row: string
  replaced_at_ms: number
}

type TemplateVersionColumns = {
  /** 1 at the first import, incremented by each that changes something and each restoration. */
  version: number
  name: string
  /** Normalised for searches: see `foldText`. */
  name_folded: string
  category: string
  category_folded: string
  type: 'print' | 'product'
  /** JSON: see `TemplateSummary`. What lists search and sort by is also in separate columns. */
  summary: string
  /** The prefix of the files in object storage, with a trailing slash; unique to each version. */
  object_prefix: string
  /** JSON: the bundle path of each object `0`, `1`, ... below the prefix. */
  files: string
  /** SHA-256 over these files' paths and bytes. */
  digest: string
  /** Makes the thumbnail's address unguessable. */
  thumbnail_token: string
  imported_at_ms: number
  /** JSON: see `TemplateLook`. Null for a template imported before looks existed. */
  look: string | null
  /** Total size of this version's objects. */
  size_bytes: number
  /** How the version was made. */
  origin: Generated<TemplateOrigin>
  /** The number that it had before it was restored. */
  restored_from: number | null
}

/** Parts that are stored or being received. */
type PsdImportPartsTable = {
  import_id: string
  part: number
  size_bytes: number
  is_stored: number
}

type PsdImportsTable = {
  id: string
  account_id: string
  file_name: string
  size_bytes: number
  state: 'uploading' | 'waiting' | 'reading' | 'drawing' | 'checking' | 'ready' | 'refused' | 'failed'
  /** Incremented by each conversion; results of an earlier one are ignored. */
  run: number
  /** JSON: the names of the requested smart objects; if empty, they are detected by name. */
  frames: string
  /** Why it was refused or failed. */
  message: string | null
  /** JSON: names of smart objects, of which some must be chosen as frames. */
  choices: string
  /** JSON: see `PsdImportReport`. */
  report: string | null
  /** JSON: the names of the bundle's files in object storage. */
  files: string | null
  has_comparison: number
  created_at_ms: number
  /** When its owner last acted or its conversion last progressed. */
  changed_at_ms: number
  /** The last heartbeat of the process that converts it. */
  alive_at_ms: number
}

/** Objects that no template references any more, or not yet: removed when an hour old. */
type TemplateRemainsTable = {
  object_prefix: string
  since_ms: number
  /** Null for objects of shared templates. */
  owner_account_id: string | null
  size_bytes: number | null
}

/** Favourites and tags: see `TemplateMarks`. */
type TemplateMarksTable = {
  account_id: string
  /** The public id of an own or shared template. */
  template_id: string
  /** Normalised for searches. Empty: the template is a favourite. */
  tag_folded: string
  /** As written. */
  tag: string
}

/** Links to scenes: see `Proofs`. JSON columns have the shapes of the contract. */
type ProofsTable = {
  id: string
  account_id: string
  /** The secret part of the URL: 32 base-62 characters. */
  token: string
  title: string
  shop_name: string
  /** JSON */
  template_ids: string
  /** JSON, by template */
  placements: string
  /** JSON, by template */
  colors: string
  /** JSON: the artwork that the shop placed in the scenes; its bytes are in object storage. */
  artwork: string | null
  created_at_ms: number
  expires_at_ms: number
  revoked_at_ms: number | null
  visits: number
  answer_count: number
  /** Answers that the shop has seen. */
  read_count: number
  /** Files attached to answers, including those being uploaded. */
  file_count: number
  /** Size of all its files, including the shop's; as announced for those being uploaded. */
  file_bytes: number
  /** Size of the JSON of its answers. */
  answer_bytes: number
}

type ProofAnswersTable = {
  id: string
  proof_id: string
  at_ms: number
  /** JSON */
  answer: string
  /** JSON: the attached file; its bytes are in object storage. */
  artwork: string | null
}

/** The picture of a scene at the time the link was sent, by its position among the scenes. */
type ProofStillsTable = { proof_id: string; position: number; object: string; size_bytes: number }

/** A mockup of *My mockups*. */
type StoredMockupsTable = {
  id: string
  account_id: string
  /** Equal for the same picture: the Idempotency-Key of its request. */
  picture_key: string
  name: string
  /** The name of its artwork. */
  artwork: string
  run: string
  template_id: string
  /** The text that searches match. */
  text_folded: string
  media_type: string
  /** The key of its object. */
  object: string
  size_bytes: number
  thumbnail_object: string | null
  thumbnail_bytes: number
  made_at_ms: number
  /** 0 or 1: 0 while its object is being written. */
  is_stored: number
}

/** Space reserved for a file being uploaded, which is already counted in `proofs`. */
type ProofRoomsTable = {
  /** The key of its object. */
  object: string
  proof_id: string
  files: number
  size_bytes: number
  reserved_at_ms: number
}

type FirstRunStepsTable = { step: string; done_at_ms: number }

/** The process that works on a step of the first start; if it dies, another may take over. */
type FirstRunClaimsTable = { step: string; instance_id: string }

/** One row: the installation's id, which its data folders also store. */
type InstallationTable = { only_row: 1; id: string }

/** The sign-in library's tables, as far as our own queries read them; the library writes them. */
type SignInUsersTable = {
  id: string
  name: string
  email: string
  email_verified: boolean | number
  image: string | null
  two_factor_enabled: boolean | number | null
  created_at: string | Date
  updated_at: string | Date
}
type SignInSessionsTable = {
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
type SignInVerificationsTable = {
  id: string
  /** SHA-256 of its purpose and token. */
  identifier: string
  /** What it belongs to: for a password reset, the user's id. */
  value: string
}

type SignInSecondFactorsTable = { id: string; user_id: string }

type SignInCredentialsTable = {
  id: string
  account_id: string
  user_id: string
  provider_id: string
  password: string | null
  created_at: string | Date
  updated_at: string | Date
}

/** A started purchase of a pack, paid once `paid_at_ms` is set. Its id is the external id in the ledger. */
type PaymentsTable = {
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
type AuditEventsTable = {
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

export type LedgerEntry = Selectable<LedgerEntriesTable>
export type Reservation = Selectable<ReservationsTable>
export type SealedBalance = Selectable<SealedBalancesTable>
