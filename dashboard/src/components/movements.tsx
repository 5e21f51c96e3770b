/** Credits received and spent, and why. */
import { Link } from '@tanstack/react-router'
import type { Movement, MovementOrder } from '@vitrine/contract'
import { Fragment } from 'react'
import { formatCount, formatLocalDay, formatMomentUtc, formatTime } from '../format.ts'
import { Button } from './controls.tsx'
import { Empty } from './states.tsx'
import { type Column, TableFrame } from './table-frame.tsx'

const kindNames: Readonly<Record<Movement['kind'], string>> = {
  grant: 'Granted',
  purchase: 'Bought',
  mockup: 'Mockups',
  refund: 'Refunded',
  reversal: 'Reversed',
  restoration: 'Restored',
  opening: 'Opening balance',
}

const columns: readonly Column[] = ['When', 'What', 'Cause', 'Key', { label: 'Credits', look: 'number' }]

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
      <TableFrame label="Movements" columns={columns}>
        {movements.map((movement, index) => (
          <Fragment key={movement.id}>
            <DayRow at={movement.at} before={movements[index - 1]?.at} />
            <MovementRow movement={movement} />
          </Fragment>
        ))}
      </TableFrame>
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

function MovementRow({
  movement: { at, kind, cause, templates, receipt_url, key_name, credits },
}: {
  movement: Movement
}) {
  return (
    <tr>
      <td data-label="When">
        <time dateTime={at} title={formatMomentUtc(at)}>
          {formatTime(at)}
        </time>
      </td>
      <td data-label="What">{kindNames[kind]}</td>
      <td data-label="Cause">
        <Cause kind={kind} cause={cause} credits={credits} templates={templates} />
        {receipt_url !== null && (
          <>
            {' '}
            <a href={receipt_url} rel="noreferrer">
              Receipt
            </a>
          </>
        )}
      </td>
      <td data-label="Key">{key_name ?? ''}</td>
      <td data-label="Credits" className="number">
        {credits > 0 ? '+' : ''}
        {formatCount(credits)}
      </td>
    </tr>
  )
}
