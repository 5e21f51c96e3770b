import { formatDayOf, formatMoment, formatMomentToSecond, formatMomentUtc } from '../format.ts'

const formats = { minute: formatMoment, second: formatMomentToSecond, day: formatDayOf }

/** A moment in the reader's zone, to the minute, the second or the day, with UTC on hover. */
export function Moment({ iso, to = 'minute' }: { iso: string; to?: keyof typeof formats }) {
  return (
    <time dateTime={iso} title={formatMomentUtc(iso)}>
      {formats[to](iso)}
    </time>
  )
}
