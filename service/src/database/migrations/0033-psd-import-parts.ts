import type { Migration } from './migration.ts'

/** The parts of Photoshop files that came or arrive: these take room, announced sizes do not. */
export const psdImportParts: Migration = {
  name: '0033-psd-import-parts',
  statements: kind => [
    `create table psd_import_parts (
      import_id text not null references psd_imports (id) on delete cascade,
      part integer not null,
      size_bytes integer not null,
      is_stored integer not null,
      primary key (import_id, part)
    ${kind === 'sqlite' ? ') strict' : ')'}`,
  ],
}
