import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventTable } from '../components/event-table.tsx'
import { Pager } from '../components/pager.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { ownEventsQuery } from '../queries/audit-query.ts'

/** The signed-in account's events, so that its owner notices what somebody else did. */
export function RecentEvents() {
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useQuery(ownEventsQuery(page))
  return (
    <section className="panel stack">
      <h2>Recent events</h2>
      <p className="quiet">
        Sign-ins, passwords, keys and credits. If you did not do one of these, change your password.
      </p>
      {isPending && <Skeleton rows={3} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.events.length === 0 && <p>Nothing yet.</p>}
      {data !== undefined && data.events.length > 0 && <EventTable events={data.events} withAccount={false} />}
      {data !== undefined && (
        <Pager page={page} totalPages={data.total_pages} total={data.total} what="events" onPage={setPage} />
      )}
    </section>
  )
}
