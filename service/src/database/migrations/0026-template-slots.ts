import type { Migration } from './migration.ts'

/** Names under which a request gives artwork to several frames of a template. */
export const templateSlots: Migration = {
  name: '0026-template-slots',
  statements: () => ['alter table templates add column slots text'],
}
