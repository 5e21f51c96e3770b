/** The newest requests of the account: what was asked, what was answered, and why. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RequestList } from '../components/request-list.tsx'
import { keysQuery } from './keys-query.ts'

const route = getRouteApi('/signed-in/requests')

export function Requests() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery({ order: 'last-used' }))
  const offered = new Map((keys.data?.keys ?? []).map(({ id, name }) => [id, name]))
  if (filters.key !== undefined && filters.key !== 'dashboard' && !offered.has(filters.key))
    offered.set(filters.key, filters.key)
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Requests</h1>
          <p className="quiet small">The last 30 days, without pictures and bodies. Failed requests cost nothing.</p>
        </div>
      </header>
      <RequestList
        path="/dashboard/api/requests"
        filters={filters}
        keys={offered}
        onFilter={changed => void navigate({ search: previous => ({ ...previous, ...changed }), replace: true })}
      />
    </>
  )
}
