import type { Migration } from './migration.ts'

/** Parts of a template whose colour a request may choose. */
export const templateColors: Migration = {
  name: '0022-template-colors',
  statements: () => ['alter table templates add column colors text'],
}
