import { type AuditEntry, auditActions } from '@vitrine/contract'
import { Moment } from './moment.tsx'
import { TableFrame } from './table-frame.tsx'

const actorNames = { account: 'Account holder', operator: 'Operator', system: 'Vitrine' } as const

/** Audit events; with their account if the table lists several. */
export function EventTable({ events, withAccount }: { events: readonly AuditEntry[]; withAccount: boolean }) {
  return (
    <TableFrame label="Events" columns={['When', 'What', ...(withAccount ? ['Account'] : []), 'By', 'From', 'Details']}>
      {events.map(event => (
        <tr key={event.id}>
          <td data-label="When">
            <Moment iso={event.at} />
          </td>
          <td className="cell-title">
            {auditActions[event.action]}
            {event.outcome === 'failed' && <span className="tag">Failed</span>}
          </td>
          {withAccount && (
            <td data-label="Account">
              <span className="clip">{event.account_email ?? '–'}</span>
            </td>
          )}
          <td data-label="By">{event.actor_email ?? actorNames[event.actor]}</td>
          <td data-label="From">{event.network ?? '–'}</td>
          <td data-label="Details">
            <span className="clip">{event.target ?? '–'}</span>
          </td>
        </tr>
      ))}
    </TableFrame>
  )
}
