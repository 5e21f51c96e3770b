import type { Migration } from './migration.ts'

/** Versions of templates that were replaced, and what made each. Their files stay objects. */
export const templateVersions: Migration = {
  name: '0037-template-versions',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `alter table templates add column origin text not null default 'import'`,
      `alter table templates add column restored_from ${bigint}`,
      `create table template_versions (
        object_prefix text primary key,
        template_row text not null references templates (id),
        version ${bigint} not null,
        replaced_at_ms ${bigint} not null,
        name text not null,
        name_folded text not null,
        category text not null,
        category_folded text not null,
        type text not null,
        surface_type text,
        render_mode text not null,
        blend_mode text not null,
        aspect_ratios text not null,
        colors text,
        slots text,
        files text not null,
        digest text not null,
        thumbnail_token text not null,
        imported_at_ms ${bigint} not null,
        look text,
        share_bundle ${bigint} not null,
        size_bytes ${bigint},
        origin text not null,
        restored_from ${bigint}
      ${end}`,
      'create unique index template_versions_by_template on template_versions (template_row, version)',
    ]
  },
}
