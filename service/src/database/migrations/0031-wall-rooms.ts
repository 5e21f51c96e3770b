import type { Migration } from './migration.ts'

/**
 * Room for files that are coming to a link has a row and so an end, also where the process is killed. What is
 * stored is counted again, as killed uploads have left room taken for good; the bytes of answers count too.
 */
export const wallRooms: Migration = {
  name: '0031-wall-rooms',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    const sizeOf = (artwork: string) =>
      isSqlite ? `json_extract(${artwork}, '$.size_bytes')` : `(${artwork}::jsonb ->> 'size_bytes')::bigint`
    const bytes = isSqlite ? 'length(cast(answer as blob))' : 'octet_length(answer)'
    return [
      `create table wall_rooms (
        object text primary key,
        wall_id text not null references walls (id) on delete cascade,
        files ${bigint} not null,
        size_bytes ${bigint} not null,
        reserved_at_ms ${bigint} not null
      ${end}`,
      'create index wall_rooms_by_time on wall_rooms (reserved_at_ms)',
      'create index wall_rooms_by_wall on wall_rooms (wall_id)',
      `alter table walls add column answer_bytes ${bigint} not null default 0`,
      `update walls set
        answer_bytes = coalesce((select sum(${bytes}) from wall_answers where wall_id = walls.id), 0),
        file_count = (select count(artwork) from wall_answers where wall_id = walls.id),
        file_bytes = coalesce(${sizeOf('artwork')}, 0)
          + coalesce((select sum(${sizeOf('wall_answers.artwork')}) from wall_answers where wall_id = walls.id), 0)`,
    ]
  },
}
