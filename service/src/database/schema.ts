import type { TemplateOrigin } from '@vitrine/contract'
import type { Generated, Selectable } from 'kysely'

/** Every table. Times are whole milliseconds since 1970 (`_ms`), amounts whole credits, ids as by `newId`. */
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
  /** Whether a program that does not know a migration may serve: see `Migration`. */
  schema_compatibility: { name: string; needs: string | null }
}

export type AccountRole = 'owner' | 'operator' | 'customer'

type AccountsTable = {
  id: string
  /** As the customer writes it. */
  email: string
  /** Lower case: unique. */
  email_key: string
  role: AccountRole
  created_at_ms: number
  /** Null for an account that is in use. */
  suspended_at_ms: number | null
  /** When its personal data was erased; the ledger stays. */
  deleted_at_ms: number | null
}

type ApiKeysTable = {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the whole key, hexadecimal. The key itself is stored nowhere. */
  key_hash: string
  /** The key's first 7 characters (`vt_` + 4), for display. */
  display: string
  created_at_ms: number
  revoked_at_ms: number | null
  /** Exact to the minute. */
  last_used_at_ms: number | null
  expires_at_ms: number | null
  /** Between commas. Null: all, those too that there will be. */
  scopes: string | null
  /** Addresses and networks as by `parseAllowedAddress`, between commas. Null: all. */
  allowed_addresses: string | null
  /** The key that was made in its place. */
  replaced_by_key_id: string | null
  /** When a mail said that it is about to expire. */
  expiry_told_at_ms: number | null
}

type PublishableKeysTable = {
  id: string
  account_id: string
  name: string
  /** The whole key: it stands in pages, and is no secret. */
  key_text: string
  /** Origins as by `parsePageOrigin`, between spaces. */
  origins: string
  /** Between spaces. Null: all shared templates, those too that there will be. */
  template_ids: string | null
  /** Greatest width in pixels of what it opens. */
  width_px: number
  /** Drawn over what it opens; null for none. */
  watermark: string | null
  loads_per_day: number
  created_at_ms: number
  revoked_at_ms: number | null
}

/** The books of a wallet. `spendable` is the balance that is shown. */
export type Book = 'granted' | 'purchased' | 'spendable' | 'reserved' | 'consumed'

/** Sums over the account's ledger entries, so that the database can refuse a negative one. */
type WalletsTable = { account_id: string } & Record<Book, number>

export type ReservationState = 'reserved' | 'settled' | 'released' | 'expired'

type ReservationsTable = {
  id: string
  account_id: string
  /** The key that asked; null for a render in the dashboard. */
  key_id: string | null
  request_id: string
  credits: number
  /** How much of a settled reservation was given back since. */
  refunded: Generated<number>
  state: ReservationState
  /** The process that works on it: when it is dead, the credits are released. */
  instance_id: string
  created_at_ms: number
  expires_at_ms: number
  resolved_at_ms: number | null
  /** Why it was released, for people. */
  cause: string | null
}

export type EntryKind = 'grant' | 'purchase' | 'reserve' | 'settle' | 'release' | 'expire' | 'refund' | 'reverse'

/** Append-only. One row moves credits from one book of an account (debit) to another (credit). */
type LedgerEntriesTable = {
  sequence: Generated<number>
  id: string
  account_id: string
  kind: EntryKind
  debit_book: Book
  credit_book: Book
  credits: number
  reservation_id: string | null
  /** Of a purchase or grant: the payment's id. No two entries share one. */
  external_id: string | null
  reason: string | null
  created_at_ms: number
}

/** Append-only. One row for each part of an account's archive; parts are counted from 1. */
type SealedBalancesTable = {
  account_id: string
  part: number
  /** All archived entries of this part and those before are older. */
  before_ms: number
  /** How many entries this part has. */
  entries: number
  /** SHA-256, hexadecimal, over the digest of the part before and the lines of this one. */
  digest: string
  sealed_at_ms: number
} & SealedBooks

/** The sums over all archived entries of the account up to the end of a part. Nothing is reserved in it. */
type SealedBooks = Record<Exclude<Book, 'reserved'>, number>

/** What the keys of an account consumed and got back in one part of its archive; see `credit_days`. */
type SealedCreditsTable = { account_id: string; part: number; key_id: string; consumed: number; refunded: number }

/** External ids of archived entries: none is ever used again. */
type SealedExternalIdsTable = { external_id: string; account_id: string }

type InstancesTable = { id: string; started_at_ms: number; heartbeat_at_ms: number }

/** Here and in `credit_days`, `key_id` is the empty string for renders made in the dashboard. */
type UsageDaysTable = {
  account_id: string
  key_id: string
  /** UTC, `YYYY-MM-DD`. */
  day: string
  total: number
  successful: number
  failed: number
}

/** Sums over the ledger by the day of the mockup, kept by a trigger. `consumed` is net of refunds. */
type CreditDaysTable = { account_id: string; key_id: string; day: string; consumed: number; refunded: number }

type UsageFailuresTable = { account_id: string; key_id: string; day: string; code: string; count: number }

type UsageTemplatesTable = { account_id: string; key_id: string; day: string; template_id: string; count: number }

/**
 * Sums over `usage_templates` of all keys, kept by a trigger. `span` is a day or a month (`YYYY-MM`); the
 * empty template id, with days alone, stands for all templates.
 */
type UsageSumsTable = { account_id: string; span: string; template_id: string; count: number }

/** Requests with an account of the last weeks, without their bodies. See service/src/usage/request-log.ts. */
type RequestLogTable = {
  account_id: string
  at_ms: number
  request_id: string
  /** The empty string for renders made in the dashboard. */
  key_id: string
  /** Method and path as the interface documents them. */
  endpoint: string
  /** That the request named, between commas. */
  template_ids: string
  /** 499 where the client left before the answer began. */
  status: number
  code: string | null
  /** The error's sentence, as it was answered. */
  reason: string | null
  duration_ms: number
  /** Net of what was given back. */
  credits: number
  /** 1 where an earlier answer was sent again, without a charge. */
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
  /** The answer's body in object storage, and the rest of the answer as JSON. Null while it runs. */
  body_object_key: string | null
  answer: string | null
  size_bytes: number
  created_at_ms: number
  finished_at_ms: number | null
  /** Names the answer in the addresses of its pictures. Null while it runs. */
  link_id: string | null
}

/** How many answers an account keeps, and their bodies' size: kept by triggers on `idempotency_keys`. */
type KeptAnswersTable = { account_id: string; answers: number; size_bytes: number }

/** The process that does what one process does for all, until it renews or the lease ends. */
type LeasesTable = { name: string; instance_id: string; ends_at_ms: number }

/** One row for every id that an owner ever used: it is never used for anything else of this owner. */
type TemplatesTable = TemplateVersionColumns & {
  /** Names the row: the template's id, or a random one where another owner has a row with that id. */
  id: string
  /** The template's id, unique for each owner. Null where it is `id`. */
  template_id: string | null
  /** Null for a template that everybody sees. */
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
  /** 1 at the first import, one more at each that changes something, and at each that is restored. */
  version: number
  name: string
  /** As searches compare it: see `foldText`. */
  name_folded: string
  category: string
  category_folded: string
  type: 'print' | 'product'
  /** JSON: see `TemplateSummary`. What lists search and sort by is in columns of its own, too. */
  summary: string
  /** Where the bundle's files lie in object storage, with a slash at the end; another for every version. */
  object_prefix: string
  /** JSON: the path in the bundle of every object `0`, `1`, ... under the prefix. */
  files: string
  /** SHA-256 over these files' paths and bytes. */
  digest: string
  /** Makes the thumbnail's address unguessable. */
  thumbnail_token: string
  imported_at_ms: number
  /** JSON: see `TemplateLook`. Null for a template that was imported before there were any. */
  look: string | null
  /** Of all objects of this version. */
  size_bytes: number
  /** What made it. */
  origin: Generated<TemplateOrigin>
  /** The number that it had before it was restored. */
  restored_from: number | null
}

/** Parts that are stored, or arrive. */
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
  /** Grows with each conversion; what an earlier one says afterwards is ignored. */
  run: number
  /** JSON: the names of smart objects that were asked for; empty: those that their names tell. */
  frames: string
  /** Why it is refused or failed. */
  message: string | null
  /** JSON: names of smart objects of which some have to be chosen as frames. */
  choices: string
  /** JSON: see `PsdImportReport`. */
  report: string | null
  /** JSON: the names of the bundle's files in object storage. */
  files: string | null
  has_comparison: number
  created_at_ms: number
  /** Of the last thing that its owner did or its conversion reached. */
  changed_at_ms: number
  /** Of the last sign of the process that converts it. */
  alive_at_ms: number
}

/** Objects that no template needs any more, or not yet: removed when they are an hour old. */
type TemplateRemainsTable = {
  object_prefix: string
  since_ms: number
  /** Null for remains of shared templates. */
  owner_account_id: string | null
  size_bytes: number | null
}

/** Favourites and tags: see `TemplateMarks`. */
type TemplateMarksTable = {
  account_id: string
  /** As the interface names it: own or shared. */
  template_id: string
  /** As searches compare it. Empty: the template is a favourite. */
  tag_folded: string
  /** As it was written. */
  tag: string
}

/** Links to scenes: see `Proofs`. JSON columns have the shapes of the contract. */
type ProofsTable = {
  id: string
  account_id: string
  /** The secret of the address: 32 base-62 characters. */
  token: string
  title: string
  shop_name: string
  /** JSON */
  template_ids: string
  /** JSON, by template */
  placements: string
  /** JSON, by template */
  colors: string
  /** JSON: what the shop has put into the scenes; its bytes are an object. */
  artwork: string | null
  created_at_ms: number
  expires_at_ms: number
  revoked_at_ms: number | null
  visits: number
  answer_count: number
  /** Answers that the shop has seen. */
  read_count: number
  /** Files that came with answers, and those that are coming. */
  file_count: number
  /** Of all its files, the shop's too, as stated by those that are coming. */
  file_bytes: number
  /** Of the JSON of its answers. */
  answer_bytes: number
}

type ProofAnswersTable = {
  id: string
  proof_id: string
  at_ms: number
  /** JSON */
  answer: string
  /** JSON: the file that came with it; its bytes are an object. */
  artwork: string | null
}

/** The picture of a scene as a link was sent, by its place among the scenes. */
type ProofStillsTable = { proof_id: string; position: number; object: string; size_bytes: number }

/** A mockup of *My mockups*. */
type StoredMockupsTable = {
  id: string
  account_id: string
  /** Equal for the same picture: the Idempotency-Key of its request. */
  picture_key: string
  name: string
  /** What its artwork was called. */
  artwork: string
  run: string
  template_id: string
  /** What searches look through. */
  text_folded: string
  media_type: string
  /** The key of its object. */
  object: string
  size_bytes: number
  thumbnail_object: string | null
  thumbnail_bytes: number
  made_at_ms: number
  /** 0 or 1. While it is 0 its object is being written. */
  is_stored: number
}

/** Room for a file that is coming, which `proofs` counts already. */
type ProofRoomsTable = {
  /** The key of its object. */
  object: string
  proof_id: string
  files: number
  size_bytes: number
  reserved_at_ms: number
}

type FirstRunStepsTable = { step: string; done_at_ms: number }

/** The process that works on a step of the first start; when it is dead, another may. */
type FirstRunClaimsTable = { step: string; instance_id: string }

/** One row: the id of the installation, which its data folders have too. */
type InstallationTable = { only_row: 1; id: string }

/** The sign-in library's tables, as far as our own queries read them; it writes them itself. */
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
  /** SHA-256 of what it is for and its token. */
  identifier: string
  /** Whose it is: for a link to a new password the user's id. */
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
  /** Credits that were taken back because money went back. */
  reversed_credits: number
  receipt_url: string | null
}

/** Append-only; deleted when 400 days old. See service/src/audit. */
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
