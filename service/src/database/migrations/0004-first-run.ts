import type { Migration } from './migration.ts'

/** What the first start has done, so that one that broke off is finished by the next and nothing is done twice. */
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
