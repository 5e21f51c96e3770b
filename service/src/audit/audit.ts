import { type AuditAction, auditActionSchema } from '@vitrine/contract'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'

/** The database enforces the same time: see migrations/initial/audit.ts. */
const RETAINED_MS = 400 * 24 * 3600 * 1000

/** Who acts: the account itself, an operator (without an id: by a command), or Vitrine. */
export type AuditActor = 'account' | 'operator' | 'system'

export type AuditEvent = {
  /** The account it concerns; null if there is none. */
  readonly accountId: string | null
  readonly actor: AuditActor
  /** The operator's account. */
  readonly actorId?: string | null
  /** The client's network: an IPv4 address or an IPv6 /64. */
  readonly network?: string | null
  readonly action: AuditAction
  /** The id of the affected object, or an amount, but never a person's address. */
  readonly target?: string | null
  readonly outcome?: 'ok' | 'failed'
}

export type ListedAuditEvent = Required<AuditEvent> & { readonly sequence: number; readonly atMs: number }

/** Writes and reads the append-only audit log. */
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
   * Adds an event in the background: the action has already happened, and the response time must not reveal
   * whether an account exists.
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

  /** One page of the events, newest first. `page` counts from 1. */
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

  /** Deletes events older than the retention time. */
  async forgetOld(nowMs: number = this.#clock()): Promise<void> {
    await this.#database.queries
      .deleteFrom('audit_events')
      .where('at_ms', '<', nowMs - RETAINED_MS - 1000)
      .execute()
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
  }
}
