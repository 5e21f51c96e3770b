import { formatDayOf, formatMoment, formatMomentUtc } from '../format.ts'

/** A moment in the reader's zone, or its day alone, with UTC on hover. */
export function Moment({ iso, dayOnly = false }: { iso: string; dayOnly?: boolean }) {
  return (
    <time dateTime={iso} title={formatMomentUtc(iso)}>
      {dayOnly ? formatDayOf(iso) : formatMoment(iso)}
    </time>
  )
}
