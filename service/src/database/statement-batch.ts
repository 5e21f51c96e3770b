import type { CompiledQuery, QueryResult, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * The statements of one transaction by name, in the order of their properties. Each must return or change a
 * row: the first that does not ends the batch, and nothing of it happens.
 */
export type Batch = Readonly<Record<string, CompiledQuery>>

type RowOf<Statement> = Statement extends CompiledQuery<infer Row> ? Row : never

export type StatementResult = { readonly rows: readonly unknown[]; readonly changes: number }

/** The result of a batch. */
export class BatchOutcome<Statements extends Batch> {
  /** The statement that had no row: then nothing has happened. Null where all was done. */
  readonly stoppedAt: (keyof Statements & string) | null
  readonly #results: ReadonlyMap<PropertyKey, StatementResult>

  /** @param results of the statements that ran; where the batch is not complete, the last one had no row */
  constructor(batch: Statements, results: readonly StatementResult[], isComplete: boolean) {
    // Object.keys has the declared names of the record's own properties, but its type says string.
    const names = Object.keys(batch) as (keyof Statements & string)[]
    this.#results = new Map(names.flatMap((name, i) => (results[i] === undefined ? [] : [[name, results[i]]])))
    this.stoppedAt = isComplete ? null : (names[results.length - 1] ?? null)
  }

  /** The first row that a statement of this batch returned. */
  firstRow<Name extends keyof Statements>(name: Name): RowOf<Statements[Name]> | undefined {
    // The row's type is what the query builder says of this query.
    return this.#results.get(name)?.rows[0] as RowOf<Statements[Name]> | undefined
  }
}

/** The rows that a statement returned or changed. */
export function countChanges({ rows, numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? rows.length)
}

/** Runs a batch inside an open transaction. The caller rolls back when it stopped. */
export async function runBatch<Statements extends Batch>(
  transaction: Transaction<Schema>,
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
