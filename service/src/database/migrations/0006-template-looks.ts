import type { Migration } from './migration.ts'

/** What galleries show of a template before its picture is loaded. Null until the next import. */
export const templateLooks: Migration = {
  name: '0006-template-looks',
  statements: () => ['alter table templates add column look text'],
}
