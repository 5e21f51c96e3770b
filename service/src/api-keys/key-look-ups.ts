import type { CompiledQuery } from 'kysely'
import type { Database } from '../database/database.ts'

/** Whose key it is. */
export type KeyOwner = { readonly keyId: string; readonly accountId: string }

/** Look-ups on their way that come within so many milliseconds of the last are one statement: nobody waits longer than that for it. */
const PACE_MS = 8

type KeyRow = { readonly id: string; readonly account_id: string; readonly key_hash: string }

type Waiting = { readonly resolve: (owner: KeyOwner | null) => void; readonly reject: (error: unknown) => void }

/**
 * Finds keys by their hash. Where the database answers at once, so does this; where the answer takes a way and a wait, many that are looked up
 * under load are one statement. Nothing is remembered: every look-up begins after it was asked for, so that it sees every revocation before it.
 */
export class KeyLookUps {
  readonly #database: Database
  readonly #queries = new Map<number, CompiledQuery<KeyRow>>()
  #waiting = new Map<string, Waiting[]>()
  #lastBegunMs = Number.NEGATIVE_INFINITY
  #isPlanned = false

  constructor(database: Database) {
    this.#database = database
  }

  /** The owner of the key with this hash; null when there is none, it is revoked, or its account is suspended. */
  find(hash: string): KeyOwner | null | Promise<KeyOwner | null> {
    const rows = this.#database.lookUp(this.#queryFor([hash]))
    if (rows === null) return this.#findLater(hash)
    const [row] = rows
    return row === undefined ? null : ownerOf(row)
  }

  #findLater(hash: string): Promise<KeyOwner | null> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject }
      const others = this.#waiting.get(hash)
      if (others === undefined) this.#waiting.set(hash, [waiting])
      else others.push(waiting)
      if (this.#isPlanned) return
      const restMs = this.#lastBegunMs + PACE_MS - performance.now()
      this.#isPlanned = true
      if (restMs <= 0) void this.#lookUp()
      else setTimeout(() => void this.#lookUp(), restMs)
    })
  }

  async #lookUp(): Promise<void> {
    this.#isPlanned = false
    this.#lastBegunMs = performance.now()
    const batch = this.#waiting
    this.#waiting = new Map()
    try {
      const owners = await this.#read([...batch.keys()])
      for (const [hash, waiting] of batch) for (const { resolve } of waiting) resolve(owners.get(hash) ?? null)
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error)
    }
  }

  async #read(hashes: readonly string[]): Promise<Map<string, KeyOwner>> {
    const { rows } = await this.#database.queries.executeQuery(this.#queryFor(padded(hashes)))
    return new Map(rows.map(row => [row.key_hash, ownerOf(row)]))
  }

  /** The statement for these hashes; built once for each number of them, because building costs more than sending it. */
  #queryFor(hashes: readonly string[]): CompiledQuery<KeyRow> {
    const count = hashes.length
    const query = this.#queries.get(count) ?? this.#build(count)
    this.#queries.set(count, query)
    return { ...query, parameters: hashes }
  }

  #build(count: number): CompiledQuery<KeyRow> {
    return this.#database.queries
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id', 'api_keys.account_id', 'api_keys.key_hash'])
      .where(
        'key_hash',
        'in',
        Array.from({ length: count }, () => ''),
      )
      .where('revoked_at_ms', 'is', null)
      .where('accounts.suspended_at_ms', 'is', null)
      .compile()
  }
}

function ownerOf(row: KeyRow): KeyOwner {
  return { keyId: row.id, accountId: row.account_id }
}

/** Repeats the last until their number is a power of two, so that there are few statements to prepare. */
function padded(hashes: readonly string[]): string[] {
  const count = 2 ** Math.ceil(Math.log2(hashes.length))
  return Array.from({ length: count }, (_, i) => hashes[Math.min(i, hashes.length - 1)] ?? '')
}
