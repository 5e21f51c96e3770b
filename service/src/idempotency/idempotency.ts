import { MADE_KEY_PREFIX } from '@vitrine/contract'
import type { CompiledQuery, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'
import type { Schema } from '../database/schema.ts'

/** The operations of object storage that are needed here. */
export type BodyStore = { delete(key: string): Promise<void> }

/** A saved answer: its body is in object storage, its header is the caller's JSON. */
export type SavedAnswer = {
  readonly bodyObjectKey: string
  readonly sizeBytes: number
  readonly answer: string
  /** Identifies it in the URLs of its pictures; null if it has none. */
  readonly linkId: string | null
}

export type IdempotencyBegin =
  /** The request owns the key: exactly one of `finishing` and `fail` must follow. */
  | { readonly outcome: 'started' }
  /** An identical request has been answered. */
  | ({ readonly outcome: 'replay' } & SavedAnswer)
  /** The key belongs to a different request. */
  | { readonly outcome: 'mismatch' }
  /** An identical request is in progress. */
  | { readonly outcome: 'conflict' }

type Request = { readonly accountId: string; readonly key: string }

/** Counted from the end of the request. */
export const SAVED_FOR_MS = 24 * 3_600_000

/** No request takes this long: its process was unable to free the key. */
const RUNNING_AT_MOST_MS = 600_000

/**
 * Limits per account; answers of generated keys are deleted first, then the oldest. A 4,000 px PNG of 20 MB
 * every 15 minutes for a day is 2 GB.
 */
const MAX_SAVED_ANSWERS = 1_000
const MAX_SAVED_BYTES = 2 * 1024 ** 3

/** The newest answers of generated keys are treated like chosen ones: programs may be about to retry. */
const MADE_KEYS_RETAINED = 64

/** Checking an account's limits is a round trip, so a process checks after this many answers or bytes. */
const UNSEEN_ANSWERS_MAX = 16
const UNSEEN_BYTES_MAX = 64 * 1024 ** 2

/** Accounts for which a process remembers its last check; for others it checks more often. */
const SEEN_ACCOUNTS_MAX = 10_000

/** About how much exceeds the limit at a check. */
const FORGOTTEN_AT_ONCE = UNSEEN_ANSWERS_MAX

/** The saved answers by `Idempotency-Key`: a request is charged once, however often it is sent. */
export class Idempotency {
  readonly #database: Database
  readonly #bodies: BodyStore
  readonly #clock: Clock
  readonly #instanceId: string
  /** What this process has saved for each account since it last checked its limits. */
  readonly #unseen = new Map<string, { answers: number; bytes: number }>()

  constructor(
    database: Database,
    { bodies, instanceId, clock = Date.now }: { bodies: BodyStore; instanceId: string; clock?: Clock },
  ) {
    this.#database = database
    this.#bodies = bodies
    this.#clock = clock
    this.#instanceId = instanceId
  }

  /** `requestHash` is the SHA-256 over the parsed parameters and the uploaded bytes. */
  async begin(request: Request & { readonly requestHash: string }): Promise<IdempotencyBegin> {
    const { accountId, key, requestHash } = request
    if (await this.#insert(request)) return { outcome: 'started' }
    const present = await this.#database.queries
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('idempotency_key', '=', key)
      .executeTakeFirst()
    if (present === undefined) return { outcome: 'conflict' } // just freed
    if (present.finished_at_ms !== null && present.finished_at_ms <= this.#clock() - SAVED_FOR_MS) {
      await this.#forget([present])
      return { outcome: (await this.#insert(request)) ? 'started' : 'conflict' }
    }
    if (present.request_hash !== requestHash) return { outcome: 'mismatch' }
    const saved = toSavedAnswer(present)
    return saved === null ? { outcome: 'conflict' } : { outcome: 'replay', ...saved }
  }

  /** The answer identified by `linkId`, while it is saved and its account is active. */
  async findByLink(linkId: string): Promise<SavedAnswer | null> {
    const row = await this.#database.queries
      .selectFrom('idempotency_keys')
      .innerJoin('accounts', 'accounts.id', 'idempotency_keys.account_id')
      .select(['body_object_key', 'answer', 'size_bytes', 'link_id'])
      .where('link_id', '=', linkId)
      .where('finished_at_ms', '>', this.#clock() - SAVED_FOR_MS)
      .where('accounts.deleted_at_ms', 'is', null)
      .where('accounts.suspended_at_ms', 'is', null)
      .executeTakeFirst()
    return row === undefined ? null : toSavedAnswer(row)
  }

  /** Inserts the key; false if the account already has it. */
  async #insert(request: Request & { readonly requestHash: string }): Promise<boolean> {
    const nowMs = this.#clock()
    const insert = this.#database.queries
      .insertInto('idempotency_keys')
      .values({
        ...this.#running(request),
        request_hash: request.requestHash,
        size_bytes: 0,
        created_at_ms: nowMs,
      })
      .onConflict(conflict => conflict.columns(['account_id', 'idempotency_key']).doNothing())
      .compile()
    const outcome = await this.#database.batch({ insert }, async transaction => {
      const own = await transaction
        .selectFrom('idempotency_keys')
        .select('created_at_ms')
        .where(eb => eb.and({ ...this.#running(request), created_at_ms: nowMs }))
        .executeTakeFirst()
      return own !== undefined
    })
    return outcome === null || outcome.stoppedAt === null
  }

  /**
   * The statement that saves the answer, for the batch that settles the charge. If the request has lost the
   * key it has no row, which rolls back the charge. The body must already be stored.
   */
  finishing(request: Request & SavedAnswer): CompiledQuery {
    const unseen = this.#unseen.get(request.accountId)
    if (unseen !== undefined) {
      unseen.answers++
      unseen.bytes += request.sizeBytes
    }
    return this.#database.queries
      .updateTable('idempotency_keys')
      .set({
        state: 'finished',
        body_object_key: request.bodyObjectKey,
        answer: request.answer,
        size_bytes: request.sizeBytes,
        link_id: request.linkId,
        finished_at_ms: this.#clock(),
      })
      .where(eb => eb.and(this.#running(request)))
      .compile()
  }

  /** The attempt failed, so the key is freed. */
  async fail(request: Request): Promise<void> {
    await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where(eb => eb.and(this.#running(request)))
      .execute()
  }

  /** Selects the row of a request in progress of this process. */
  #running({ accountId, key }: Request) {
    const instance_id = this.#instanceId
    return { account_id: accountId, idempotency_key: key, state: 'running' as const, instance_id }
  }

  /**
   * Deletes answers older than a day and those of deleted accounts, and frees the keys of dead processes.
   * Call it every minute.
   */
  async sweep(nowMs: number = this.#clock()): Promise<{ forgotten: number; freed: number }> {
    const stuck = await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where('state', '=', 'running')
      .where('created_at_ms', '<=', nowMs - RUNNING_AT_MOST_MS)
      .executeTakeFirst()
    const freed = Number(stuck.numDeletedRows) + (await this.recoverAtStart())
    const old = await this.#database.queries
      .selectFrom('idempotency_keys')
      .select(['account_id', 'idempotency_key', 'body_object_key'])
      .where('finished_at_ms', '<=', nowMs - SAVED_FOR_MS)
      .limit(1_000)
      .execute()
    // Answers of requests that were in progress when their account was deleted.
    const ofDeleted = await this.#database.queries
      .selectFrom('accounts')
      .innerJoin('idempotency_keys', 'idempotency_keys.account_id', 'accounts.id')
      .select(['account_id', 'idempotency_key', 'body_object_key'])
      .where('accounts.deleted_at_ms', 'is not', null)
      .where('state', '=', 'finished')
      .limit(1_000)
      .execute()
    await this.#forget([...old, ...ofDeleted])
    return { forgotten: old.length + ofDeleted.length, freed }
  }

  /**
   * Checks the account's limits if this process may have exceeded them: after 16 answers or 64 MiB, and at
   * its first answer. So each process may exceed an account's limits by that much.
   */
  async enforceBounds(accountId: string): Promise<void> {
    const unseen = this.#unseen.get(accountId)
    if (unseen !== undefined && unseen.answers < UNSEEN_ANSWERS_MAX && unseen.bytes < UNSEEN_BYTES_MAX) return
    if (this.#unseen.size >= SEEN_ACCOUNTS_MAX) this.#unseen.clear()
    this.#unseen.set(accountId, { answers: 0, bytes: 0 })
    await this.forgetBeyondBounds(accountId)
  }

  /**
   * Deletes an account's answers beyond the limits: first those of generated keys, except the newest of
   * these, then the oldest. Never the newest of all, unless the account is deleted.
   */
  async forgetBeyondBounds(
    accountId: string,
    { maxAnswers = MAX_SAVED_ANSWERS, maxBytes = MAX_SAVED_BYTES, madeKeysRetained = MADE_KEYS_RETAINED } = {},
  ): Promise<number> {
    let forgotten = 0
    for (;;) {
      const saved = await this.#database.queries
        .selectFrom('saved_answers')
        .innerJoin('accounts', 'accounts.id', 'saved_answers.account_id')
        .select(['answers', 'size_bytes', 'deleted_at_ms'])
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (saved === undefined) return forgotten
      let { answers, size_bytes: sizeBytes } = saved
      const answersMax = saved.deleted_at_ms === null ? maxAnswers : 0
      const isBeyond = () => answers > answersMax || (answers > 1 && sizeBytes > maxBytes)
      if (!isBeyond()) return forgotten
      const oldest = await this.#findForgettable(accountId, madeKeysRetained)
      const beyond = oldest.filter(row => {
        if (!isBeyond()) return false
        answers--
        sizeBytes -= row.size_bytes
        return true
      })
      if (beyond.length === 0) return forgotten
      await this.#forget(beyond)
      forgotten += beyond.length
    }
  }

  /** The few answers of the account to be deleted next, in order. */
  async #findForgettable(accountId: string, madeKeysRetained: number) {
    const finished = this.#database.queries
      .selectFrom('idempotency_keys')
      .select(['account_id', 'idempotency_key', 'body_object_key', 'size_bytes'])
      .where('account_id', '=', accountId)
      .where('state', '=', 'finished')
      .orderBy('created_at_ms')
      .limit(FORGOTTEN_AT_ONCE)
    const made = await finished
      // Not `like`, which is case-insensitive on SQLite.
      .where(sql<SqlBool>`substr(idempotency_key, 1, ${sql.lit(MADE_KEY_PREFIX.length)}) = ${MADE_KEY_PREFIX}`)
      .select(eb => eb.fn.countAll<number | string>().over().as('made_count'))
      .execute()
    const surplus = Number(made[0]?.made_count ?? 0) - madeKeysRetained
    return surplus > 0 ? made.slice(0, surplus) : finished.execute()
  }

  /** Deletes the row first: a row without a body would be a broken answer. */
  async #forget(
    rows: readonly { account_id: string; idempotency_key: string; body_object_key: string | null }[],
  ): Promise<void> {
    for (const row of rows) {
      const result = await this.#database.queries
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', row.account_id)
        .where('idempotency_key', '=', row.idempotency_key)
        .where('body_object_key', '=', row.body_object_key)
        .executeTakeFirst()
      if (result.numDeletedRows === 1n && row.body_object_key !== null) await this.#bodies.delete(row.body_object_key)
    }
  }

  /** Frees the keys of dead processes and returns their number. Call it at start and every few seconds. */
  async recoverAtStart(): Promise<number> {
    const running = await this.#database.queries
      .selectFrom('idempotency_keys')
      .select('instance_id')
      .distinct()
      .where('state', '=', 'running')
      .execute()
    const instanceIds = running.map(row => row.instance_id)
    const dead = await findDeadInstances(this.#database, instanceIds, this.#instanceId, this.#clock)
    if (dead.length === 0) return 0
    const result = await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where('state', '=', 'running')
      .where('instance_id', 'in', dead)
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}

/** Null while the request is running. */
function toSavedAnswer(
  row: Pick<Schema['idempotency_keys'], 'body_object_key' | 'answer' | 'size_bytes' | 'link_id'>,
): SavedAnswer | null {
  const { body_object_key: bodyObjectKey, answer, size_bytes: sizeBytes, link_id: linkId } = row
  return bodyObjectKey === null || answer === null ? null : { bodyObjectKey, answer, sizeBytes, linkId }
}
