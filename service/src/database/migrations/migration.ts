/** An index of a table that may be large; `on` is what follows "create index NAME on". */
export type Index = { readonly name: string; readonly on: string }

/** One step of the schema. Once released it is never changed. */
export type Migration = {
  /** Sorts after all earlier names. */
  readonly name: string
  /**
   * Normally a migration only adds what older programs can ignore. A migration that removes something names
   * the migration whose program stopped using it: programs that do not know that one are refused.
   */
  readonly needs?: string
  /** The statements for one database, in order. */
  statements(kind: 'sqlite' | 'postgres'): readonly string[]
  /** Indexes that the program can work without. On PostgreSQL they are created without blocking writers. */
  indexes?(kind: 'sqlite' | 'postgres'): readonly Index[]
}
