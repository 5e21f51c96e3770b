/** An account's keys, for the account itself and for operators. */
import { type DashboardKey, limits } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { Moment } from '../components/moment.tsx'
import { type Column, TableFrame } from '../components/table-frame.tsx'
import { formatCount } from '../format.ts'
import { scopesInWords } from './key-scope-choice.ts'

const DAY_MS = 86_400_000

const columns: readonly Column[] = [
  'Name',
  'Key',
  'Status',
  'Created',
  'Last used',
  { label: 'Requests', look: 'number' },
  { label: 'Credits', look: 'number' },
]

type KeyTableProps = {
  keys: readonly DashboardKey[]
  /** Links to the requests made with a key. */
  requestsOf: (key: DashboardKey, shown: ReactNode) => ReactNode
  /** The actions on a key; without them, the column is left out. */
  actionsOf?: (key: DashboardKey) => ReactNode
}

export function KeyTable({ keys, requestsOf, actionsOf }: KeyTableProps) {
  return (
    <TableFrame
      label="Keys"
      columns={actionsOf === undefined ? columns : [...columns, { label: 'Actions', look: 'hidden' }]}
    >
      {keys.map(key => (
        <tr key={key.id} className={key.status === 'active' ? undefined : 'spent'}>
          <td className="cell-title">
            <div>
              <span className="clip">{key.name}</span>
              <LimitsLine apiKey={key} />
            </div>
          </td>
          <td data-label="Key">
            <code>{key.prefix}…</code>
          </td>
          <td data-label="Status">
            <Status apiKey={key} />
          </td>
          <td data-label="Created">
            <Moment iso={key.created_at} />
          </td>
          <td data-label="Last used">{key.last_used_at === null ? 'Never' : <Moment iso={key.last_used_at} />}</td>
          <td data-label="Requests" className="number">
            {key.request_count === 0
              ? 0
              : requestsOf(
                  key,
                  <>
                    {formatCount(key.request_count)}
                    <span className="visually-hidden"> requests with {key.name}</span>
                  </>,
                )}
          </td>
          <td data-label="Credits" className="number">
            {formatCount(key.credits_consumed)}
          </td>
          {actionsOf !== undefined && <td className="cell-actions">{actionsOf(key)}</td>}
        </tr>
      ))}
    </TableFrame>
  )
}

const statusNames = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const

function Status({ apiKey }: { apiKey: DashboardKey }) {
  const { status, expires_at, replaced_by } = apiKey
  return (
    <div>
      {statusNames[status]}
      {status === 'active' && expires_at !== null && (
        <span className={endsSoon(apiKey) ? 'cell-note warned' : 'cell-note'}>
          {replaced_by !== null ? 'replaced, until ' : endsSoon(apiKey) ? 'Rotate it: it ends on ' : 'until '}
          <Moment iso={expires_at} />
        </span>
      )}
    </div>
  )
}

/** Whether a key without a replacement expires within the days in which a mail warns about it. */
function endsSoon({ status, expires_at, replaced_by }: DashboardKey): boolean {
  const leftMs = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - Date.now()
  return status === 'active' && replaced_by === null && leftMs <= limits.keyExpiryNoticeDays * DAY_MS
}

/** A key's limits on permissions and addresses, if any. */
function LimitsLine({ apiKey: { scopes, allowed_addresses } }: { apiKey: DashboardKey }) {
  const parts = [
    ...(scopes === null ? [] : [scopesInWords(scopes)]),
    ...(allowed_addresses === null ? [] : [`from ${allowed_addresses.join(', ')}`]),
  ]
  return parts.length === 0 ? null : <span className="cell-note">{parts.join(' · ')}</span>
}
