import type { Schema } from '../database/schema.ts'

/**
 * The tables that are copied with an installation, in the order of their references, each with the columns
 * that identify its rows. Null: the table is specific to its database and not copied.
 */
export const copiedTables = {
  schema_migrations: null,
  // Serving processes; there are none during the copy.
  instances: null,
  leases: null,
  installation: ['only_row'],
  accounts: ['id'],
  api_keys: ['id'],
  publishable_keys: ['id'],
  wallets: ['account_id'],
  reservations: ['id'],
  ledger_entries: ['sequence'],
  sealed_balances: ['account_id', 'part'],
  sealed_credits: ['account_id', 'part', 'key_id'],
  sealed_external_ids: ['external_id'],
  credit_days: ['account_id', 'key_id', 'day'],
  usage_days: ['account_id', 'key_id', 'day'],
  usage_failures: ['account_id', 'key_id', 'day', 'code'],
  usage_templates: ['account_id', 'key_id', 'day', 'template_id'],
  usage_sums: ['account_id', 'span', 'template_id'],
  request_log: ['account_id', 'at_ms', 'request_id'],
  rate_windows: ['subject', 'window_seconds'],
  idempotency_keys: ['account_id', 'idempotency_key'],
  saved_answers: ['account_id'],
  templates: ['id'],
  template_remains: ['object_prefix'],
  template_versions: ['object_prefix'],
  template_marks: ['account_id', 'tag_folded', 'template_id'],
  proofs: ['id'],
  proof_answers: ['id'],
  proof_rooms: ['object'],
  proof_stills: ['proof_id', 'position'],
  stored_mockups: ['id'],
  psd_imports: ['id'],
  psd_import_parts: ['import_id', 'part'],
  first_run_steps: ['step'],
  first_run_claims: ['step'],
  sign_in_users: ['id'],
  sign_in_sessions: ['id'],
  sign_in_credentials: ['id'],
  sign_in_verifications: ['id'],
  sign_in_second_factors: ['id'],
  payments: ['id'],
  audit_events: ['sequence'],
} as const satisfies Record<keyof Schema, readonly string[] | null>

/** A database with rows in one of these has been started or imported into. */
export const tablesOfAnInstallation = ['installation', 'accounts', 'templates', 'first_run_steps'] as const

export type CopiedTable = { readonly name: string; readonly key: readonly string[] }

export function listCopiedTables(): CopiedTable[] {
  return Object.entries(copiedTables).flatMap(([name, key]) => (key === null ? [] : [{ name, key }]))
}
