import { hash } from 'node:crypto'
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'

/** A parameter of a prepared query, by name. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** By its name, equal for equal text, a connection of PostgreSQL finds the plan that it has made. */
type Planned = { readonly planName: string }

/** A query that is built once and used with other values each time: building costs more than sending. */
export type PreparedQuery<Values, Row> = (values: Values) => CompiledQuery<Row>

/**
 * Builds a query; `slot` is a named parameter, which may occur several times. It names the columns that it
 * reads: a kept plan for all of a table fails once a migration adds one.
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

/** The name of the plan of a prepared query; undefined for every other one. */
export function planNameOf(query: CompiledQuery): string | undefined {
  return 'planName' in query && typeof query.planName === 'string' ? query.planName : undefined
}
