import type { Selectable } from 'kysely'
import type {
  AccountsTable,
  ApiKeysTable,
  AuditEventsTable,
  PaymentsTable,
  PublishableKeysTable,
  SignInCredentialsTable,
  SignInSecondFactorsTable,
  SignInSessionsTable,
  SignInUsersTable,
  SignInVerificationsTable,
} from './account-tables.ts'
import type {
  CreditDaysTable,
  LedgerEntriesTable,
  RequestLogTable,
  ReservationsTable,
  SealedBalancesTable,
  SealedCreditsTable,
  SealedExternalIdsTable,
  UsageDaysTable,
  UsageFailuresTable,
  UsageSumsTable,
  UsageTemplatesTable,
  WalletsTable,
} from './ledger-tables.ts'
import type {
  ProofAnswersTable,
  ProofRoomsTable,
  ProofStillsTable,
  ProofsTable,
  PsdImportPartsTable,
  PsdImportsTable,
  StoredMockupsTable,
  TemplateMarksTable,
  TemplateRemainsTable,
  TemplatesTable,
  TemplateVersionsTable,
} from './template-tables.ts'

export type { AccountRole } from './account-tables.ts'
export type { Book, ReservationState } from './ledger-tables.ts'

/** All tables. Times are in milliseconds since 1970 (`_ms`), amounts in whole credits, ids from `newId`. */
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
  saved_answers: SavedAnswersTable
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
  schema_migrations: SchemaMigrationsTable
}

type SchemaMigrationsTable = {
  name: string
  applied_at_ms: number
  /** Whether a program that does not know the migration may use the database: see `Migration`. */
  needs: string | null
  /** See `digestOf`. A database from before 0.1.0 has another one, or none. */
  digest: string | undefined
}

type InstancesTable = { id: string; started_at_ms: number; heartbeat_at_ms: number }

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
  /** The key of the body in object storage, and the rest of the answer as JSON. Null while running. */
  body_object_key: string | null
  answer: string | null
  size_bytes: number
  created_at_ms: number
  finished_at_ms: number | null
  /** Identifies the answer in the URLs of its pictures. Null while running. */
  link_id: string | null
}

/** The number and total size of an account's saved answers, updated by triggers on `idempotency_keys`. */
type SavedAnswersTable = { account_id: string; answers: number; size_bytes: number }

/** The process that holds a lease for work done once for all nodes, until it renews it or the lease ends. */
type LeasesTable = { name: string; instance_id: string; ends_at_ms: number }

type FirstRunStepsTable = { step: string; done_at_ms: number }

/** The process that works on a step of the first start; if it dies, another may take over. */
type FirstRunClaimsTable = { step: string; instance_id: string }

/** One row: the installation's id, which its data folders also store. */
type InstallationTable = { only_row: 1; id: string }

export type LedgerEntry = Selectable<LedgerEntriesTable>

export type Reservation = Selectable<ReservationsTable>

export type SealedBalance = Selectable<SealedBalancesTable>
