/** Credits received and spent, and why. */
import { Link } from '@tanstack/react-router'
import type { Movement, MovementOrder } from '@vitrine/contract'
import { Fragment } from 'react'
import { formatCount, formatLocalDay, formatMomentUtc, formatTime } from '../format.ts'
import { Button } from './controls.tsx'
import { Empty } from './states.tsx'
import { type Column, Table } from './table-frame.tsx'

const kindNames: Readonly<Record<Movement['kind'], string>> = {
  grant: 'Granted',
  purchase: 'Bought',
  mockup: 'Mockups',
  refund: 'Refunded',
  reversal: 'Reversed',
  restoration: 'Restored',
  opening: 'Opening balance',
}

const columns: readonly Column<Movement>[] = [
  {
    label: 'When',
    cell: ({ at }) => (
      <time dateTime={at} title={formatMomentUtc(at)}>
        {formatTime(at)}
      </time>
    ),
  },
  { label: 'What', cell: ({ kind }) => kindNames[kind] },
  {
    label: 'Cause',
    cell: movement => (
      <>
        <Cause {...movement} />
        {movement.receipt_url !== null && (
          <>
            {' '}
            <a href={movement.receipt_url} rel="noreferrer">
              Receipt
            </a>
          </>
        )}
      </>
    ),
  },
  { label: 'Key', cell: movement => movement.key_name ?? '' },
  { label: 'Credits', look: 'number', cell: ({ credits }) => `${credits > 0 ? '+' : ''}${formatCount(credits)}` },
]

type MovementsProps = {
  filtered: boolean
  order: MovementOrder
  movements: readonly Movement[]
  more: boolean
  loading: boolean
  onMore: () => void
}

export function Movements({ filtered, order, movements, more, loading, onMore }: MovementsProps) {
  if (movements.length === 0 && filtered) {
    return (
      <Empty title="No movements of this kind">
        <p>Choose “All movements” to see the others.</p>
      </Empty>
    )
  }
  if (movements.length === 0) {
    return (
      <Empty title="No movements yet">
        <p>Every credit that is added or spent is listed here with its reason.</p>
      </Empty>
    )
  }
  return (
    <>
      <Table
        label="Movements"
        rows={movements}
        columns={columns}
        before={({ at }, previous) => <DayRow at={at} before={previous?.at} />}
      />
      {more && (
        <Button onClick={onMore} aria-busy={loading}>
          {loading ? 'Loading…' : order === 'newest' ? 'Show older movements' : 'Show later movements'}
        </Button>
      )}
    </>
  )
}

/** The reader's date, if it differs from the previous movement's. */
function DayRow({ at, before }: { at: string; before: string | undefined }) {
  const day = formatLocalDay(at)
  if (before !== undefined && formatLocalDay(before) === day) return null
  return (
    <tr className="table-day">
      <th scope="rowgroup" colSpan={columns.length}>
        {day}
      </th>
    </tr>
  )
}

/** The template of a single mockup, or the number of mockups of each template. */
function Cause({ kind, cause, credits, templates }: Pick<Movement, 'kind' | 'cause' | 'credits' | 'templates'>) {
  const links = templates.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      {name === null ? (
        id
      ) : (
        <Link to="/templates/$id" params={{ id }}>
          {name}
        </Link>
      )}
    </Fragment>
  ))
  if (kind === 'mockup' && credits === -1 && links.length === 1) return links
  if (links.length === 0) return cause
  return (
    <div>
      {cause}
      <span className="cell-note">{links}</span>
    </div>
  )
}
