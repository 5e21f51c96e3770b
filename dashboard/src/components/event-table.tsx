import { type AuditEntry, auditActions } from '@vitrine/contract'
import { Moment } from './moment.tsx'
import { type Column, Table } from './table-frame.tsx'

const actorNames = { account: 'Account holder', operator: 'Operator', system: 'Vitrine' } as const

const account: Column<AuditEntry> = {
  label: 'Account',
  cell: event => <span className="clip">{event.account_email ?? '–'}</span>,
}

/** Audit events; with their account if the table lists several. */
export function EventTable({ events, withAccount }: { events: readonly AuditEntry[]; withAccount: boolean }) {
  const columns: readonly Column<AuditEntry>[] = [
    { label: 'When', cell: event => <Moment iso={event.at} /> },
    {
      label: 'What',
      look: 'cell-title',
      cell: event => (
        <>
          {auditActions[event.action]}
          {event.outcome === 'failed' && <span className="tag">Failed</span>}
        </>
      ),
    },
    ...(withAccount ? [account] : []),
    { label: 'By', cell: event => event.actor_email ?? actorNames[event.actor] },
    { label: 'From', cell: event => event.network ?? '–' },
    { label: 'Details', cell: event => <span className="clip">{event.target ?? '–'}</span> },
  ]
  return <Table label="Events" rows={events} columns={columns} />
}
