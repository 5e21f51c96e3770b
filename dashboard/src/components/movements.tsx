/** What credits came and went, and why. */
import type { Movement, MovementOrder } from '@vitrine/contract'
import { formatCount } from '../format.ts'
import { Button } from './controls.tsx'
import { Moment } from './moment.tsx'
import { Empty } from './states.tsx'
import { TableFrame } from './table-frame.tsx'

const kindNames: Readonly<Record<Movement['kind'], string>> = {
  grant: 'Granted',
  purchase: 'Bought',
  mockup: 'Mockups',
  refund: 'Refunded',
  reversal: 'Taken back',
  restoration: 'Given back',
  opening: 'Opening balance',
}

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
      <Empty title="Nothing has moved yet">
        <p>Every credit that comes or goes is listed here with its cause.</p>
      </Empty>
    )
  }
  return (
    <>
      <TableFrame label="Movements" columns={['When', 'What', 'Cause', 'Key', { label: 'Credits', look: 'number' }]}>
        {movements.map(movement => (
          <tr key={movement.id}>
            <td data-label="When">
              <Moment iso={movement.at} />
            </td>
            <td data-label="What">{kindNames[movement.kind]}</td>
            <td data-label="Cause">
              {movement.cause}
              {movement.receipt_url !== null && (
                <>
                  {' '}
                  <a href={movement.receipt_url} rel="noreferrer">
                    Receipt
                  </a>
                </>
              )}
            </td>
            <td data-label="Key">{movement.key_name ?? ''}</td>
            <td data-label="Credits" className="number">
              {movement.credits > 0 ? '+' : ''}
              {formatCount(movement.credits)}
            </td>
          </tr>
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
