import { hash } from 'node:crypto'
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'

/** A named parameter of a prepared query. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A connection finds its prepared plan by this name, which is equal for equal SQL. */
type Planned = { readonly planName: string }

/** A query that is built once and executed with different values: building costs more than sending. */
export type PreparedQuery<Values, Row> = (values: Values) => CompiledQuery<Row>

/**
 * Builds a query; `slot` is a named parameter, which may occur several times. List the selected columns: a
 * cached plan for `select *` fails once a migration adds a column.
 */
export function prepareQuery<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (slot: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const query = build(name => sql`${new Slot(name)}`).compile()
  const planName = `vitrine_${hash('sha256', query.sql).slice(0, 32)}`
  return values => {
    const parameters = query.parameters.map(parameter =>
      parameter instanceof Slot ? values[parameter.name] : parameter,
    )
    const planned: CompiledQuery<Row> & Planned = { ...query, planName, parameters }
    return planned
  }
}

/** The plan name of a prepared query; undefined for any other query. */
export function planNameOf(query: CompiledQuery): string | undefined {
  return 'planName' in query && typeof query.planName === 'string' ? query.planName : undefined
}
