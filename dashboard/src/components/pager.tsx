import { formatCount } from '../format.ts'
import { Button } from './controls.tsx'

type PagerProps = {
  /** Counted from 1. */
  page: number
  totalPages: number
  /** What is listed and how many there are: "1,000 keys". */
  total: number
  what: string
  onPage: (page: number) => void
}

/** Links to the pages of a list; nothing if there is only one. */
export function Pager({ page, totalPages, total, what, onPage }: PagerProps) {
  if (totalPages <= 1 && page === 1) return null
  return (
    <nav className="row" aria-label={`Pages of ${what}`}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status">
        Page {formatCount(page)} of {formatCount(Math.max(1, totalPages))} · {formatCount(total)} {what}
      </span>
      <Button disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
