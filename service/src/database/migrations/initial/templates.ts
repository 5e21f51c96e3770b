import { columnTypes, type DatabaseKind } from './column-types.ts'

/** The common columns of templates and their earlier versions, except those unique to one of them. */
function versionColumns(bigint: string): string {
  return `version ${bigint} not null check (version >= 1),
      name text not null,
      name_folded text not null,
      category text not null,
      category_folded text not null,
      type text not null check (type in ('print', 'product')),
      summary text not null,
      files text not null,
      digest text not null,
      imported_at_ms ${bigint} not null,
      look text,
      size_bytes ${bigint} not null,
      origin text not null default 'import',
      restored_from ${bigint}`
}

/**
 * Templates; their earlier versions, whose files stay in object storage; objects of other versions until they
 * are removed; and the accounts' marks of templates.
 */
export function templateStatements(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, end } = columnTypes(kind)
  return [
    `create table templates (
      id text primary key,
      template_id text,
      owner_account_id text references accounts (id),
      removed_at_ms ${bigint},
      object_prefix text not null unique,
      thumbnail_token text not null unique,
      ${versionColumns(bigint)}
    ${end}`,
    'create index templates_by_owner on templates (owner_account_id) where removed_at_ms is null',
    // Ids are unique for each owner.
    `create unique index templates_by_template_id
      on templates (coalesce(template_id, id), coalesce(owner_account_id, ''))`,
    `create table template_versions (
      object_prefix text primary key,
      template_row text not null references templates (id),
      replaced_at_ms ${bigint} not null,
      thumbnail_token text not null,
      ${versionColumns(bigint)}
    ${end}`,
    'create unique index template_versions_by_template on template_versions (template_row, version)',
    `create table template_remains (
      object_prefix text primary key,
      since_ms ${bigint} not null,
      size_bytes ${bigint},
      owner_account_id text
    ${end}`,
    'create index template_remains_by_owner on template_remains (owner_account_id)',
    // A used id is never freed, whatever a program attempts.
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
    `create table template_marks (
      account_id text not null references accounts (id),
      template_id text not null,
      tag_folded text not null,
      tag text not null,
      primary key (account_id, tag_folded, template_id)
    ${end}`,
    'create index template_marks_by_template on template_marks (account_id, template_id)',
  ]
}
