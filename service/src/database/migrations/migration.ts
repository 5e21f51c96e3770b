/** One step of the schema. Once released it is never changed. */
export type Migration = {
  /** Sorts after the names before it. */
  readonly name: string
  /** The statements for one database, in order. */
  statements(kind: 'sqlite' | 'postgres'): readonly string[]
}
