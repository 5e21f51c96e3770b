import type { CompiledQuery, QueryResult } from 'kysely'
import type { Transaction } from './schema.ts'

/**
 * The statements of one transaction by name, in property order. Each must return or change a row: the first
 * that does not ends the batch, which then has no effect.
 */
export type Batch = Readonly<Record<string, CompiledQuery>>

type RowOf<Statement> = Statement extends CompiledQuery<infer Row> ? Row : never

export type StatementResult = { readonly rows: readonly unknown[]; readonly changes: number }

/** The result of a batch. */
export class BatchOutcome<Statements extends Batch> {
  /** The statement that had no row, so that the batch had no effect. Null if all were executed. */
  readonly stoppedAt: (keyof Statements & string) | null
  readonly #results: ReadonlyMap<PropertyKey, StatementResult>

  /** @param results of the executed statements; if the batch is incomplete, the last one had no row */
  constructor(batch: Statements, results: readonly StatementResult[], isComplete: boolean) {
    // Object.keys returns the declared property names of the record, but is typed as string.
    const names = Object.keys(batch) as (keyof Statements & string)[]
    this.#results = new Map(names.flatMap((name, i) => (results[i] === undefined ? [] : [[name, results[i]]])))
    this.stoppedAt = isComplete ? null : (names[results.length - 1] ?? null)
  }

  /** The first row that a statement of this batch returned. */
  firstRow<Name extends keyof Statements>(name: Name): RowOf<Statements[Name]> | undefined {
    // The row type is the one that the query builder declares for this query.
    return this.#results.get(name)?.rows[0] as RowOf<Statements[Name]> | undefined
  }
}

/** The number of rows that a statement returned or changed. */
export function countChanges({ rows, numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? rows.length)
}

/** Runs a batch in an open transaction. The caller must roll back if it stopped. */
export async function runBatch<Statements extends Batch>(
  transaction: Pick<Transaction, 'executeQuery'>,
  batch: Statements,
): Promise<BatchOutcome<Statements>> {
  const results: StatementResult[] = []
  for (const query of Object.values(batch)) {
    const result = await transaction.executeQuery(query)
    const changes = countChanges(result)
    results.push({ rows: result.rows, changes })
    if (changes === 0) return new BatchOutcome(batch, results, false)
  }
  return new BatchOutcome(batch, results, true)
}
