import { formatDayOf, formatMoment, formatMomentToSecond, formatMomentUtc } from '../format.ts'

const formats = { minute: formatMoment, second: formatMomentToSecond, day: formatDayOf }

/** A time in the reader's time zone, to the minute, second or day, with UTC on hover. */
export function Moment({ iso, to = 'minute' }: { iso: string; to?: keyof typeof formats }) {
  return (
    <time dateTime={iso} title={formatMomentUtc(iso)}>
      {formats[to](iso)}
    </time>
  )
}
