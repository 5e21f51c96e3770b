export type DatabaseKind = 'sqlite' | 'postgres'

/** How the columns and the ends of tables are written for a database. */
export function columnTypes(kind: DatabaseKind) {
  const isSqlite = kind === 'sqlite'
  return {
    isSqlite,
    bigint: isSqlite ? 'integer' : 'bigint',
    flag: isSqlite ? 'integer' : 'boolean',
    /** ISO 8601 texts on SQLite, as the sign-in library writes them there. */
    moment: isSqlite ? 'text' : 'timestamptz',
    sequence: isSqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key',
    // SQLite stores any type in any column, a fraction of a credit too, unless the table is strict.
    end: isSqlite ? ') strict' : ')',
    /** Of a table that is read by its primary key alone. */
    endOfKeyed: isSqlite ? ') strict, without rowid' : ')',
  }
}
