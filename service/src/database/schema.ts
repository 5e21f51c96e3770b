import type { Transaction as AnyTransaction, Kysely, Selectable } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { LedgerTables } from './ledger-tables.ts'
import type { TemplateTables } from './template-tables.ts'

export type { AccountRole } from './account-tables.ts'
export type { Book, ReservationState } from './ledger-tables.ts'

/** All tables. Times are in milliseconds since 1970 (`_ms`), amounts in whole credits, ids from `newId`. */
export type Schema = AccountTables &
  LedgerTables &
  TemplateTables & {
    schema_migrations: {
      name: string
      applied_at_ms: number
      /** Whether a program that does not know the migration may use the database: see `Migration`. */
      needs: string | null
      /** See `digestOf`. A database from before 0.1.0 has another one, or none. */
      digest: string | undefined
    }
    instances: { id: string; started_at_ms: number; heartbeat_at_ms: number }
    rate_windows: {
      subject: string
      window_seconds: number
      started_at_ms: number
      ends_at_ms: number
      count: number
    }
    idempotency_keys: {
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
    saved_answers: { account_id: string; answers: number; size_bytes: number }
    /** The process that holds a lease for work done once for all nodes, until it ends or is renewed. */
    leases: { name: string; instance_id: string; ends_at_ms: number }
    first_run_steps: { step: string; done_at_ms: number }
    /** The process that works on a step of the first start; if it dies, another may take over. */
    first_run_claims: { step: string; instance_id: string }
    /** One row: the installation's id, which its data folders also store. */
    installation: { only_row: 1; id: string }
  }

/** Statements, and a transaction, on these tables. */
export type Queries = Kysely<Schema>
export type Transaction = AnyTransaction<Schema>

/** What of a transaction reads: kinds of transactions as a whole take the compiler seconds to compare. */
export type ReadTransaction = Pick<Transaction, 'selectFrom'>

export type LedgerEntry = Selectable<Schema['ledger_entries']>

export type Reservation = Selectable<Schema['reservations']>

export type SealedBalance = Selectable<Schema['sealed_balances']>
