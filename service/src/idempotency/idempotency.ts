import type { CompiledQuery } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'

/** What object storage must be able to do here: forget a kept body. */
export type BodyStore = { delete(key: string): Promise<void> }

/** An answer that is kept: its body in object storage, and the rest of it (status, headers) as the caller's JSON. */
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

/** No request lasts this long: whoever began could not even say that it failed. */
const runningAtMostMs = 600_000

/** Per account, oldest first beyond it: about a day of a customer who keeps a 4,000 px PNG of 20 MB every 90 seconds. */
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
  async begin(request: Request & { readonly requestHash: string }): Promise<IdempotencyBegin> {
    const { accountId, key, requestHash } = request
    if (await this.#insert(request)) return { outcome: 'started' }
    const present = await this.#database.queries
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('idempotency_key', '=', key)
      .executeTakeFirst()
    if (present === undefined) return { outcome: 'conflict' } // freed in this moment
    if (present.finished_at_ms !== null && present.finished_at_ms <= this.#clock() - keptForMs) {
      await this.#forget([present])
      return { outcome: (await this.#insert(request)) ? 'started' : 'conflict' }
    }
    if (present.request_hash !== requestHash) return { outcome: 'mismatch' }
    const { body_object_key: bodyObjectKey, answer, size_bytes: sizeBytes } = present
    if (bodyObjectKey === null || answer === null) return { outcome: 'conflict' }
    return { outcome: 'replay', bodyObjectKey, answer, sizeBytes }
  }

  /** Inserts the key as this request's; false where the account has it already. */
  async #insert({ accountId, key, requestHash }: Request & { readonly requestHash: string }): Promise<boolean> {
    const nowMs = this.#clock()
    const insert = this.#database.queries
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
      .onConflict(conflict => conflict.columns(['account_id', 'idempotency_key']).doNothing())
      .compile()
    const outcome = await this.#database.batch({ insert }, async transaction => {
      const own = await transaction
        .selectFrom('idempotency_keys')
        .select('created_at_ms')
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .where('instance_id', '=', this.#instanceId)
        .where('state', '=', 'running')
        .where('created_at_ms', '=', nowMs)
        .executeTakeFirst()
      return own !== undefined
    })
    return outcome === null || outcome.stoppedAt === null
  }

  /**
   * The statement that keeps the answer, for the transaction that settles the charge: a crash leaves both or neither.
   * The body must be in storage before. It has no row, and so undoes the charge, when the key is no longer this request's.
   */
  finishing(request: Request & KeptAnswer): CompiledQuery {
    return this.#database.queries
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

  /** Frees the keys of attempts whose process died. Call it before listening, after the Instance is claimed. */
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
