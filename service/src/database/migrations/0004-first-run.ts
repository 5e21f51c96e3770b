import type { Migration } from './migration.ts'

/** The steps of the first start that are done: the next start finishes one that was interrupted. */
export const firstRun: Migration = {
  name: '0004-first-run',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    return [
      `create table first_run_steps (
        step text primary key,
        done_at_ms ${isSqlite ? 'integer' : 'bigint'} not null
      ${end}`,
    ]
  },
}
