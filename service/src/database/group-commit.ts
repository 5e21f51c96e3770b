import {
  type SqliteConnection,
  SqliteError,
  type SqliteOutcome,
  type SqliteResult,
  type SqliteSequence,
  type SqlValue,
} from './sqlite-connection.ts'

/** A group ends when it has lasted this long or has this many members, even while others wait: their answers wait for it. */
const maxGroupMs = 10
const maxGroupMembers = 100

type Member = { readonly resolve: () => void; readonly reject: (error: Error) => void }

/** A transaction whose statements are all known, and who waits for it. */
type WaitingSequence = {
  readonly sequence: SqliteSequence
  readonly resolve: (outcome: Exclude<SqliteOutcome, { readonly error: object }>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writing connection, shared by transactions that run one after another.
 *
 * A commit with `synchronous=FULL` waits for the disk. When other transactions already wait, they join the same SQLite
 * transaction, each inside a savepoint of its own, and the disk is waited for once; nobody hears "committed" before it
 * is. A transaction that fails is rolled back to its savepoint alone. If the group's commit fails, all of it fails.
 *
 * A transaction whose statements are known from the start goes to the thread as one message, from BEGIN to COMMIT, together with all of its
 * kind that wait: each message wakes a thread there and this one when it is answered.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  readonly #waiting: ((() => void) | WaitingSequence)[] = []
  readonly #members: Member[] = []
  #isTaken = false
  #isOpen = false
  #openedAtMs = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Waits for its turn and begins. Afterwards exactly one of `commit` and `rollback` must follow. */
  async begin(): Promise<void> {
    await this.#takeTurn()
    try {
      if (this.#isOpen) await this.#script('SAVEPOINT member')
      else {
        // Immediate: a deferred one fails with BUSY_SNAPSHOT, whatever the busy timeout, when another process writes first.
        await this.#script('BEGIN IMMEDIATE; SAVEPOINT member')
        this.#isOpen = true
        this.#openedAtMs = performance.now()
      }
    } catch (error) {
      await this.#abandon(error)
      this.#passTurn()
      throw error
    }
  }

  async run(sql: string, parameters: readonly SqlValue[]): Promise<SqliteResult> {
    // Without this a statement after the loss of the group would be committed by itself.
    if (!this.#isOpen) throw new Error('the SQLite transaction has been rolled back as a whole')
    try {
      return await this.#connection.send({ to: 'writer', sql, parameters })
    } catch (error) {
      if (error instanceof SqliteError && !error.hasTransaction) await this.#abandon(error)
      throw error
    }
  }

  /** Resolves when the transaction is on the disk. */
  async commit(): Promise<void> {
    let onDisk: Promise<void>
    try {
      if (!this.#isOpen) throw new Error('the SQLite transaction has been rolled back as a whole')
      await this.#script('RELEASE member')
      onDisk = new Promise((resolve, reject) => this.#members.push({ resolve, reject }))
      await this.#endTurn()
    } catch (error) {
      await this.#abandon(error)
      this.#passTurn()
      throw error
    }
    await onDisk
  }

  async rollback(): Promise<void> {
    try {
      if (this.#isOpen) {
        await this.#script('ROLLBACK TO member; RELEASE member')
        await this.#endTurn()
        return
      }
    } catch (error) {
      await this.#abandon(error)
    }
    this.#passTurn()
  }

  /**
   * Runs a whole transaction; resolves when it is on the disk, or was undone because a step found no row.
   *
   * @throws SqliteError when a statement failed: then nothing of it has happened
   */
  sequence(sequence: SqliteSequence): Promise<Exclude<SqliteOutcome, { readonly error: object }>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sequence, resolve, reject })
      if (this.#isTaken) return
      this.#isTaken = true
      this.#passTurn()
    })
  }

  /** Runs and commits sequences, and with them the group that is open. */
  async #runSequences(waiting: readonly WaitingSequence[]): Promise<void> {
    try {
      const sequences = waiting.map(({ sequence }) => sequence)
      const { outcomes } = await this.#connection.send({ to: 'writer-sequences', begins: !this.#isOpen, sequences })
      this.#isOpen = false
      for (const member of this.#members.splice(0)) member.resolve()
      for (const [index, { resolve, reject }] of waiting.entries()) {
        const outcome = outcomes?.[index]
        if (outcome === undefined) reject(new Error('the SQLite thread left a sequence out'))
        else if (outcome.error !== undefined) reject(new SqliteError(outcome.error))
        else resolve(outcome)
      }
    } catch (error) {
      await this.#abandon(error)
      for (const { reject } of waiting) reject(error)
    }
    this.#passTurn()
  }

  /** Leaves the group open for who waits, or writes it to the disk. */
  async #endTurn(): Promise<void> {
    const isFull = this.#members.length >= maxGroupMembers || performance.now() - this.#openedAtMs >= maxGroupMs
    if (this.#waiting.length === 0 || isFull) {
      const members = this.#members.splice(0)
      try {
        await this.#script('COMMIT')
        this.#isOpen = false
      } catch (error) {
        this.#members.push(...members)
        await this.#abandon(error)
        this.#passTurn()
        return
      }
      for (const member of members) member.resolve()
    }
    this.#passTurn()
  }

  /** The whole group is lost: says so to every member that waits for it. */
  async #abandon(cause: unknown): Promise<void> {
    if (this.#isOpen) {
      this.#isOpen = false
      // Fails when SQLite has already rolled back by itself, or the thread is gone: both leave nothing to undo.
      await this.#script('ROLLBACK').catch(() => undefined)
    }
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const member of this.#members.splice(0)) member.reject(error)
  }

  #takeTurn(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return Promise.resolve()
    }
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #passTurn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else if (typeof next === 'function') next()
    else void this.#runSequences([next, ...this.#takeSequences()])
  }

  /** The sequences that wait at the front, as many as a group may have. */
  #takeSequences(): WaitingSequence[] {
    const taken: WaitingSequence[] = []
    for (const waiting of this.#waiting) {
      if (typeof waiting === 'function' || taken.length + 1 >= maxGroupMembers) break
      taken.push(waiting)
    }
    this.#waiting.splice(0, taken.length)
    return taken
  }

  #script(sql: string): Promise<unknown> {
    return this.#connection.send({ to: 'writer-script', sql })
  }
}
