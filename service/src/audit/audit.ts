import { type AuditAction, auditActionSchema } from '@vitrine/contract'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'

/** As the database keeps events, whatever a program does: migration 0009. */
const KEPT_MS = 400 * 24 * 3600 * 1000

/** Who acts: the account itself, an operator (by the command where there is no id), or Vitrine. */
export type AuditActor = 'account' | 'operator' | 'system'

export type AuditEvent = {
  /** Whose account it concerns; null where there is none. */
  readonly accountId: string | null
  readonly actor: AuditActor
  /** The operator's account. */
  readonly actorId?: string | null
  /** Of the client: an IPv4 address or an IPv6 /64. */
  readonly network?: string | null
  readonly action: AuditAction
  /** The id of what was acted on, or an amount: never an address of a person. */
  readonly target?: string | null
  readonly outcome?: 'ok' | 'failed'
}

export type ListedAuditEvent = Required<AuditEvent> & { readonly sequence: number; readonly atMs: number }

/** Writes and reads the audit, to which events are only added. */
export class Audit {
  readonly #database: Database
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #underWay = new Set<Promise<void>>()

  constructor(database: Database, { clock = Date.now, onError }: { clock?: Clock; onError: (error: unknown) => void }) {
    this.#database = database
    this.#clock = clock
    this.#onError = onError
  }

  /**
   * Adds an event in the background: what it tells of has happened already, and its time must not tell a
   * stranger whether there is an account.
   */
  note(event: AuditEvent): void {
    const done = this.record(event)
      .catch(this.#onError)
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  async record(event: AuditEvent): Promise<void> {
    await this.#database.queries
      .insertInto('audit_events')
      .values({
        at_ms: this.#clock(),
        account_id: event.accountId,
        actor: event.actor,
        actor_id: event.actorId ?? null,
        network: event.network ?? null,
        action: event.action,
        target: event.target ?? null,
        outcome: event.outcome ?? 'ok',
      })
      .execute()
  }

  /** One page of the events, the newest first. `page` counts from 1. */
  async list({
    accountId,
    action,
    page,
    limit,
  }: {
    readonly accountId?: string | undefined
    readonly action?: AuditAction | undefined
    readonly page: number
    readonly limit: number
  }): Promise<{ readonly events: ListedAuditEvent[]; readonly total: number }> {
    const found = this.#database.queries
      .selectFrom('audit_events')
      .$if(accountId !== undefined, query => query.where('account_id', '=', accountId ?? ''))
      .$if(action !== undefined, query => query.where('action', '=', action ?? ''))
    const rows = await found
      .selectAll()
      .orderBy('sequence', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const events = rows.map(row => ({
      sequence: row.sequence,
      atMs: row.at_ms,
      accountId: row.account_id,
      actor: row.actor,
      actorId: row.actor_id,
      network: row.network,
      action: auditActionSchema.parse(row.action),
      target: row.target,
      outcome: row.outcome,
    }))
    return { events, total }
  }

  /** Deletes events that are older than they are kept. */
  async forgetOld(nowMs: number = this.#clock()): Promise<void> {
    await this.#database.queries
      .deleteFrom('audit_events')
      .where('at_ms', '<', nowMs - KEPT_MS - 1000)
      .execute()
  }

  /** Waits for events that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
  }
}
