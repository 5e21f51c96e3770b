import './table-frame.css'
import type { ReactNode } from 'react'

/**
 * A column heading. Numbers are aligned right; hidden headings are for screen readers only. `cell-minor`
 * columns and cells are left out of tables in windows up to 1,250 px wide; cards show them.
 */
export type Column =
  | string
  | { readonly label: string; readonly look: 'number' | 'hidden' | 'cell-minor' | 'number cell-minor' }

type TableFrameProps = { label: string; columns: readonly Column[]; children: ReactNode }

/** A table with `children` as rows. Scrolls horizontally if needed; becomes cards on phones and tablets. */
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
