export type DatabaseKind = 'sqlite' | 'postgres'

/** Column types and table suffixes for each database. */
export function columnTypes(kind: DatabaseKind) {
  const isSqlite = kind === 'sqlite'
  return {
    isSqlite,
    bigint: isSqlite ? 'integer' : 'bigint',
    flag: isSqlite ? 'integer' : 'boolean',
    /** ISO 8601 texts on SQLite, as written by the sign-in library. */
    moment: isSqlite ? 'text' : 'timestamptz',
    sequence: isSqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key',
    // Unless the table is strict, SQLite stores any type in any column, even fractions of a credit.
    end: isSqlite ? ') strict' : ')',
    /** For a table that is only read by its primary key. */
    endOfKeyed: isSqlite ? ') strict, without rowid' : ')',
  }
}
