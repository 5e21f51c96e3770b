import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'
import type { Step } from '../database/sequence.ts'

/** What object storage must be able to do here: forget a kept body. */
export type BodyStore = { delete(key: string): Promise<void> }

/** A kept answer: its body is in object storage, its header is JSON of the caller. */
export type KeptAnswer = { readonly bodyObjectKey: string; readonly sizeBytes: number; readonly answer: string }

export type IdempotencyBegin =
  /** The key is this request's: exactly one of `finishing` and `fail` must follow. */
  | { readonly outcome: 'started' }
  /** The same request was answered before. */
  | ({ readonly outcome: 'replay' } & KeptAnswer)
  /** The key belongs to another request. */
  | { readonly outcome: 'mismatch' }
  /** The same request is under way. */
  | { readonly outcome: 'conflict' }

type Request = { readonly accountId: string; readonly key: string }

const keptForMs = 24 * 3_600_000

/** No request lasts this long: its process died without freeing the key. */
const runningAtMostMs = 600_000

/** Per account; the oldest are deleted first. A 4,000 px PNG of 20 MB every 15 minutes for a day is 2 GB. */
const maxKeptAnswers = 1_000
const maxKeptBytes = 2 * 1024 ** 3

/** The kept answers of `Idempotency-Key`: one charge for one request, however often it is sent. */
export class Idempotency {
  readonly #database: Database
  readonly #bodies: BodyStore
  readonly #clock: Clock
  readonly #instanceId: string

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
  async begin({ accountId, key, requestHash }: Request & { readonly requestHash: string }): Promise<IdempotencyBegin> {
    const nowMs = this.#clock()
    const { result, forgotten } = await this.#database.transaction(
      async (transaction, { mayHaveCommitted }) => {
        const started = await transaction
          .insertInto('idempotency_keys')
          .values({
            account_id: accountId,
            idempotency_key: key,
            request_hash: requestHash,
            state: 'running',
            instance_id: this.#instanceId,
            body_object_key: null,
            answer: null,
            size_bytes: 0,
            created_at_ms: nowMs,
            finished_at_ms: null,
          })
          // An answer that is too old is as good as none: the key is taken over.
          .onConflict(conflict => conflict.columns(['account_id', 'idempotency_key']).doNothing())
          .returning('created_at_ms')
          .executeTakeFirst()
        if (started) return { result: { outcome: 'started' as const }, forgotten: null }
        const present = await transaction
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('idempotency_key', '=', key)
          .executeTakeFirst()
        if (!present) return { result: { outcome: 'conflict' as const }, forgotten: null } // freed in this moment
        // Only after a commit whose answer was lost: the row is the one that this call has made.
        const isOwn = mayHaveCommitted && present.instance_id === this.#instanceId && present.created_at_ms === nowMs
        if (isOwn && present.state === 'running') return { result: { outcome: 'started' as const }, forgotten: null }
        const isOld = present.finished_at_ms !== null && present.finished_at_ms <= nowMs - keptForMs
        if (isOld) {
          const taken = await transaction
            .updateTable('idempotency_keys')
            .set({
              request_hash: requestHash,
              state: 'running',
              instance_id: this.#instanceId,
              body_object_key: null,
              answer: null,
              size_bytes: 0,
              created_at_ms: nowMs,
              finished_at_ms: null,
            })
            .where('account_id', '=', accountId)
            .where('idempotency_key', '=', key)
            .where('finished_at_ms', '=', present.finished_at_ms)
            .executeTakeFirst()
          const outcome = taken.numUpdatedRows === 1n ? ('started' as const) : ('conflict' as const)
          return { result: { outcome }, forgotten: outcome === 'started' ? present.body_object_key : null }
        }
        if (present.request_hash !== requestHash) return { result: { outcome: 'mismatch' as const }, forgotten: null }
        if (present.body_object_key === null || present.answer === null) {
          return { result: { outcome: 'conflict' as const }, forgotten: null }
        }
        const { body_object_key: bodyObjectKey, answer, size_bytes: sizeBytes } = present
        return { result: { outcome: 'replay' as const, bodyObjectKey, answer, sizeBytes }, forgotten: null }
      },
      { isRepeatable: true },
    )
    if (forgotten !== null) await this.#bodies.delete(forgotten)
    return result
  }

  /**
   * The statement that keeps the answer, for the transaction that settles the charge: a crash leaves both or neither. The body must be
   * in storage before. It finds no row, and so undoes the charge, when the key is no longer this request's.
   */
  finishing(request: Request & KeptAnswer): Step {
    const query = this.#database.queries
      .updateTable('idempotency_keys')
      .set({
        state: 'finished',
        body_object_key: request.bodyObjectKey,
        answer: request.answer,
        size_bytes: request.sizeBytes,
        finished_at_ms: this.#clock(),
      })
      .where('account_id', '=', request.accountId)
      .where('idempotency_key', '=', request.key)
      .where('state', '=', 'running')
      .where('instance_id', '=', this.#instanceId)
      .compile()
    return { query, needsRow: true }
  }

  /** The attempt failed: the key is free again. */
  async fail({ accountId, key }: Request): Promise<void> {
    await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', accountId)
      .where('idempotency_key', '=', key)
      .where('state', '=', 'running')
      .where('instance_id', '=', this.#instanceId)
      .execute()
  }

  /** Frees the keys of attempts whose process died. Called before listening, with the Instance claimed. */
  async recoverAtStart(): Promise<number> {
    return this.#freeKeysOfDeadInstances()
  }

  /** Forgets what is older than a day, and frees the keys that dead processes left. Call it every minute. */
  async sweep(nowMs: number): Promise<{ forgotten: number; freed: number }> {
    const stuck = await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where('state', '=', 'running')
      .where('created_at_ms', '<=', nowMs - runningAtMostMs)
      .executeTakeFirst()
    const freed = Number(stuck.numDeletedRows) + (await this.#freeKeysOfDeadInstances())
    const old = await this.#database.queries
      .selectFrom('idempotency_keys')
      .select(['account_id', 'idempotency_key', 'body_object_key'])
      .where('finished_at_ms', '<=', nowMs - keptForMs)
      .limit(1_000)
      .execute()
    await this.#forget(old)
    return { forgotten: old.length, freed }
  }

  /** Forgets the account's oldest answers beyond the number and the bytes that are kept for it. */
  async forgetBeyondBounds(
    accountId: string,
    bounds: { readonly maxAnswers: number; readonly maxBytes: number } = {
      maxAnswers: maxKeptAnswers,
      maxBytes: maxKeptBytes,
    },
  ): Promise<number> {
    const kept = await this.#database.queries
      .selectFrom('idempotency_keys')
      .select(['account_id', 'idempotency_key', 'body_object_key', 'size_bytes'])
      .where('account_id', '=', accountId)
      .where('state', '=', 'finished')
      .orderBy('finished_at_ms', 'desc')
      .execute()
    let sizeBytes = 0
    const beyond = kept.filter((row, i) => {
      sizeBytes += row.size_bytes
      return i >= bounds.maxAnswers || (i > 0 && sizeBytes > bounds.maxBytes)
    })
    await this.#forget(beyond)
    return beyond.length
  }

  /** The row goes first: a body without a row is garbage, a row without a body would be a broken answer. */
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

  async #freeKeysOfDeadInstances(): Promise<number> {
    const running = await this.#database.queries
      .selectFrom('idempotency_keys')
      .select('instance_id')
      .distinct()
      .where('state', '=', 'running')
      .execute()
    const dead = await findDeadInstances(
      this.#database,
      running.map(row => row.instance_id),
      this.#instanceId,
      this.#clock,
    )
    if (dead.length === 0) return 0
    const result = await this.#database.queries
      .deleteFrom('idempotency_keys')
      .where('state', '=', 'running')
      .where('instance_id', 'in', dead)
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}
