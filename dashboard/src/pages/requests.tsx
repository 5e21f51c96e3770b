/** The newest requests of the account, or for operators of all accounts: request, answer and reason. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Select } from '../components/controls.tsx'
import { RequestList } from '../components/request-list.tsx'
import { keysQuery } from '../queries/keys-query.ts'
import type { RequestFilters } from '../queries/requests-query.ts'
import { useSession } from '../session/session.ts'

const route = getRouteApi('/signed-in/requests')

export function Requests() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { role } = useSession().account
  const keys = useQuery(keysQuery({ order: 'last-used' }))
  const offered = new Map((keys.data?.keys ?? []).map(({ id, name }) => [id, name]))
  if (filters.key !== undefined && filters.key !== 'dashboard' && !offered.has(filters.key))
    offered.set(filters.key, filters.key)
  const filter = (changed: RequestFilters) =>
    void navigate({ search: previous => ({ ...previous, ...changed }), replace: true })
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Requests</h1>
          <p className="quiet small">
            Requests of the last 30 days; pictures and bodies are not stored. Failed requests cost nothing.
          </p>
        </div>
      </header>
      <RequestList path="/dashboard/api/requests" filters={filters} keys={offered} onFilter={filter}>
        {role === 'operator' && (
          <Select
            label="Accounts"
            value={filters.accounts ?? ''}
            options={[
              { value: '', label: 'Mine' },
              { value: 'all', label: 'All accounts' },
            ]}
            onChange={event =>
              filter({ accounts: event.currentTarget.value === 'all' ? 'all' : undefined, key: undefined })
            }
          />
        )}
      </RequestList>
    </>
  )
}
