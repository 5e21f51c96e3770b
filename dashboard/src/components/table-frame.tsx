import './table-frame.css'
import { Fragment, type ReactNode } from 'react'

/**
 * A column's heading. Numbers are aligned right; `cell-title` is what a card begins with, `cell-actions` what
 * it ends with. `cell-minor` is left out of tables in windows up to 1,250 px wide; cards show it.
 */
type Heading = {
  readonly label: string
  readonly look?: 'number' | 'cell-minor' | 'number cell-minor' | 'cell-title' | 'cell-actions'
}

/** A column with what it shows of a row. */
export type Column<Row> = Heading & { readonly cell: (row: Row) => ReactNode }

type TableFrameProps = { label: string; columns: readonly Heading[]; children: ReactNode }

/** A table with `children` as rows. Scrolls horizontally if needed; becomes cards on phones and tablets. */
export function TableFrame({ label, columns, children }: TableFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="table-scroll table-cards" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ label: heading, look }) => (
              <th key={heading} scope="col" className={isNamed(look) ? look : undefined}>
                {look === 'cell-actions' ? <span className="visually-hidden">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Whether a row is over, as a revoked key is. */
  isSpent?: (row: Row) => boolean
  /** A row of its own before a row. */
  before?: (row: Row, previous: Row | undefined) => ReactNode
}

export function Table<Row extends { readonly id: string | number }>(props: TableProps<Row>) {
  const { label, columns, rows, isSpent, before } = props
  return (
    <TableFrame label={label} columns={columns}>
      {rows.map((row, index) => (
        <Fragment key={row.id}>
          {before?.(row, rows[index - 1])}
          <tr className={isSpent?.(row) === true ? 'spent' : undefined}>
            {columns.map(({ label: name, look, cell }) => (
              <td key={name} className={look} data-label={isNamed(look) ? name : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        </Fragment>
      ))}
    </TableFrame>
  )
}

/** Whether a card names the column. */
const isNamed = (look: Heading['look']): boolean => look !== 'cell-title' && look !== 'cell-actions'
