import { formatMoment, formatMomentUtc } from '../format.ts'

/** A moment in the reader's zone, with UTC on hover. */
export function Moment({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatMomentUtc(iso)}>
      {formatMoment(iso)}
    </time>
  )
}
