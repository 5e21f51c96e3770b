import type { Migration } from './migration.ts'

/** Templates, and the objects of old versions until they are removed. */
export const templates: Migration = {
  name: '0003-templates',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table templates (
        id text primary key,
        owner_account_id text references accounts (id),
        version ${bigint} not null check (version >= 1),
        removed_at_ms ${bigint},
        name text not null,
        name_folded text not null,
        category text not null,
        category_folded text not null,
        type text not null check (type in ('print', 'product')),
        surface_type text,
        render_mode text not null check (render_mode in ('corners', 'uvmap')),
        blend_mode text not null,
        aspect_ratios text not null,
        object_prefix text not null unique,
        files text not null,
        digest text not null,
        thumbnail_token text not null unique,
        imported_at_ms ${bigint} not null
      ${end}`,
      `create index templates_by_owner on templates (owner_account_id) where removed_at_ms is null`,
      `create table template_remains (
        object_prefix text primary key,
        since_ms ${bigint} not null
      ${end}`,
      // An id once used is never given to anything else, whatever a program tries.
      ...(isSqlite
        ? [
            `create trigger templates_no_delete before delete on templates
              begin select raise(abort, 'template ids are never freed'); end`,
          ]
        : [
            `create function refuse_template_delete() returns trigger language plpgsql as $$
              begin raise exception 'template ids are never freed' using errcode = 'check_violation'; end $$`,
            `create trigger templates_no_delete before delete or truncate on templates
              for each statement execute function refuse_template_delete()`,
          ]),
    ]
  },
}
