import type { Migration } from './migration.ts'

/** A picture of each scene as a link was sent, and how many of its answers the shop has seen: so far all. */
export const wallStills: Migration = {
  name: '0034-wall-stills',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table wall_stills (
        wall_id text not null references walls (id) on delete cascade,
        position ${bigint} not null,
        object text not null,
        size_bytes ${bigint} not null,
        primary key (wall_id, position)
      ${end}`,
      `alter table walls add column read_count ${bigint} not null default 0`,
      'update walls set read_count = answer_count',
    ]
  },
}
