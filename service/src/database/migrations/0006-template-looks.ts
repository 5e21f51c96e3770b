import type { Migration } from './migration.ts'

/** How galleries show a template before its picture is there: its size, a tiny version, the outlines of its frames. Null until the next import. */
export const templateLooks: Migration = {
  name: '0006-template-looks',
  statements: () => ['alter table templates add column look text'],
}
