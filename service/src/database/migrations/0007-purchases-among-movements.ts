import type { Migration } from './migration.ts'

/** An index of the few movements that are no mockups, among millions that are. */
export const purchasesAmongMovements: Migration = {
  name: '0007-purchases-among-movements',
  statements: () => [
    `create index ledger_entries_besides_mockups on ledger_entries (account_id, sequence)
      where kind in ('grant', 'purchase', 'refund', 'reverse')`,
  ],
}
