import type { Migration } from './migration.ts'

/** Which templates an account finds again: its favourites and its tags. */
export const templateMarks: Migration = {
  name: '0030-template-marks',
  statements: kind => [
    `create table template_marks (
      account_id text not null references accounts (id),
      template_id text not null,
      tag_folded text not null,
      tag text not null,
      primary key (account_id, tag_folded, template_id)
    ${kind === 'sqlite' ? ') strict' : ')'}`,
    'create index template_marks_by_template on template_marks (account_id, template_id)',
  ],
}
