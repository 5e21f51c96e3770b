import './table-frame.css'
import type { ReactNode } from 'react'

/**
 * A column's head. Figures stand right; a hidden head is for screen readers alone. A `cell-minor` column, and
 * its cells of the same class, are left out of tables of at most 1,250 px windows; cards have them.
 */
export type Column =
  | string
  | { readonly label: string; readonly look: 'number' | 'hidden' | 'cell-minor' | 'number cell-minor' }

type TableFrameProps = { label: string; columns: readonly Column[]; children: ReactNode }

/** A table of the rows in `children`: scrolls sideways where it must, becomes cards on phones and tablets. */
export function TableFrame({ label, columns, children }: TableFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="table-scroll table-cards" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <Head key={typeof column === 'string' ? column : column.label} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function Head({ column }: { column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>
  const { label, look } = column
  return (
    <th scope="col" className={look === 'hidden' ? undefined : look}>
      {look === 'hidden' ? <span className="visually-hidden">{label}</span> : label}
    </th>
  )
}
