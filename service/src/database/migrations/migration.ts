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
}
