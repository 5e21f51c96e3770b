/** An account's keys, for the account itself and for operators. */
import { type DashboardKey, limits } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { Moment } from '../components/moment.tsx'
import { type Column, Table } from '../components/table-frame.tsx'
import { formatCount } from '../format.ts'
import { scopesInWords } from './key-scope-choice.ts'

const DAY_MS = 86_400_000

type KeyTableProps = {
  keys: readonly DashboardKey[]
  /** Links to the requests made with a key. */
  requestsOf: (key: DashboardKey, shown: ReactNode) => ReactNode
  /** The actions on a key; without them, the column is left out. */
  actionsOf?: (key: DashboardKey) => ReactNode
}

export function KeyTable({ keys, requestsOf, actionsOf }: KeyTableProps) {
  const requests = (key: DashboardKey) => (
    <>
      {formatCount(key.request_count)}
      <span className="visually-hidden"> requests with {key.name}</span>
    </>
  )
  const columns: readonly Column<DashboardKey>[] = [
    {
      label: 'Name',
      look: 'cell-title',
      cell: key => (
        <div>
          <span className="clip">{key.name}</span>
          <LimitsLine apiKey={key} />
        </div>
      ),
    },
    { label: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
    { label: 'Status', cell: key => <Status apiKey={key} /> },
    { label: 'Created', cell: ({ created_at }) => <Moment iso={created_at} /> },
    { label: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Moment iso={at} />) },
    { label: 'Requests', look: 'number', cell: key => key.request_count && requestsOf(key, requests(key)) },
    { label: 'Credits', look: 'number', cell: key => formatCount(key.credits_consumed) },
    ...(actionsOf === undefined ? [] : [{ label: 'Actions', look: 'cell-actions', cell: actionsOf } as const]),
  ]
  return <Table label="Keys" rows={keys} columns={columns} isSpent={({ status }) => status !== 'active'} />
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
