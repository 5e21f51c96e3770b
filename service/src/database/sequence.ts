import type { CompiledQuery, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** One statement of a sequence. */
export type Step<Row = unknown> = {
  readonly query: CompiledQuery<Row>
  /** Whether the sequence stops here, and nothing of it happens, where the statement finds or changes no row. */
  readonly needsRow: boolean
}

/** What a statement of a sequence came to. */
export type StepResult = { readonly rows: readonly unknown[]; readonly changes: number }

/** What became of a sequence. */
export class SequenceOutcome {
  /** The place of the step that had no row: then nothing has happened. Null where all was done. */
  readonly stoppedAt: number | null
  readonly #steps: readonly Step[]
  readonly #results: readonly StepResult[]

  constructor(steps: readonly Step[], results: readonly StepResult[], stoppedAt: number | null) {
    this.#steps = steps
    this.#results = results
    this.stoppedAt = stoppedAt
  }

  /** The first row that a step of this sequence returned. */
  firstRow<Row>(step: Step<Row>): Row | undefined {
    // The row's type is what the query builder says of this query.
    return this.#results[this.#steps.indexOf(step)]?.rows[0] as Row | undefined
  }
}

/** Runs a sequence inside a transaction that is open already. What was done before a stop stays: the caller rolls back where there is any. */
export async function runSteps(transaction: Transaction<Schema>, steps: readonly Step[]): Promise<SequenceOutcome> {
  const results: StepResult[] = []
  for (const { query, needsRow } of steps) {
    const { rows, numAffectedRows } = await transaction.executeQuery(query)
    const changes = Number(numAffectedRows ?? rows.length)
    results.push({ rows, changes })
    if (needsRow && changes === 0) return new SequenceOutcome(steps, results, results.length - 1)
  }
  return new SequenceOutcome(steps, results, null)
}
