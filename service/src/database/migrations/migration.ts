/** An index of a table that may be large; `on` is what follows "create index NAME on". */
export type Index = { readonly name: string; readonly on: string }

/** One step of the schema. Once released it is never changed. */
export type Migration = {
  /** Sorts after the names before it. */
  readonly name: string
  /**
   * By rule a migration only adds what a program without it may ignore. One that takes something away names
   * the migration whose program has stopped using it: a program that does not know that one is refused.
   */
  readonly needs?: string
  /** The statements for one database, in order. */
  statements(kind: 'sqlite' | 'postgres'): readonly string[]
  /** Indexes that the program can work without. On PostgreSQL they are made while others write the table. */
  indexes?(kind: 'sqlite' | 'postgres'): readonly Index[]
}
