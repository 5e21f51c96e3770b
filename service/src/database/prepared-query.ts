import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'

/** A parameter of a prepared query, by name. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A query that is built once and used with other values each time: building costs more than sending. */
export type PreparedQuery<Values, Row> = (values: Values) => CompiledQuery<Row>

/** Builds a query; `slot` is a named parameter, which may occur several times. */
export function prepareQuery<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (slot: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const query = build(name => sql`${new Slot(name)}`).compile()
  return values => ({
    ...query,
    parameters: query.parameters.map(parameter => (parameter instanceof Slot ? values[parameter.name] : parameter)),
  })
}
