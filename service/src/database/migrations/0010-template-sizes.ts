import type { Migration } from './migration.ts'

/** The storage that templates take, and the owners of remains. Null until housekeeping measures older. */
export const templateSizes: Migration = {
  name: '0010-template-sizes',
  statements(kind) {
    const bigint = kind === 'sqlite' ? 'integer' : 'bigint'
    return [
      `alter table templates add column size_bytes ${bigint}`,
      `alter table template_remains add column size_bytes ${bigint}`,
      `alter table template_remains add column owner_account_id text`,
      `create index template_remains_by_owner on template_remains (owner_account_id)`,
    ]
  },
}
