/** One step of the schema. A step that has been released is never changed again: what comes later is a new step. */
export type Migration = {
  /** Sorts after the names before it. */
  readonly name: string
  /** The statements for one database, in order. */
  statements(kind: 'sqlite' | 'postgres'): readonly string[]
}
