/** For operators: who did what to whom, and from where. */

import './accounts.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditActions } from '@vitrine/contract'
import { Select } from '../components/controls.tsx'
import { EventTable } from '../components/event-table.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Loading } from '../components/states.tsx'
import { auditActionOf, auditQuery } from '../queries/audit-query.ts'

const route = getRouteApi('/signed-in/audit')
const actions = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
]

export function Audit() {
  const { search = '', page = 1, action } = route.useSearch()
  const navigate = route.useNavigate()
  const audit = useQuery(auditQuery({ page, email: search, action }))
  return (
    <Page title="Audit">
      <div className="stack">
        <div className="filters filters-two">
          <SearchField
            value={search}
            placeholder="Full address of an account"
            onSearch={text =>
              void navigate({
                search: previous => ({ ...previous, search: text || undefined, page: undefined }),
                replace: true,
              })
            }
          />
          <Select
            label="What"
            value={action ?? ''}
            options={actions}
            onChange={event => {
              const { value } = event.currentTarget
              void navigate({ search: previous => ({ ...previous, action: auditActionOf(value), page: undefined }) })
            }}
          />
        </div>
        <Loading query={audit} rows={5} />
        {audit.data !== undefined && (
          <>
            {audit.data.events.length === 0 ? (
              <p>No events match.</p>
            ) : (
              <EventTable events={audit.data.events} withAccount />
            )}
            <Pager
              page={page}
              totalPages={audit.data.total_pages}
              total={audit.data.total}
              what="events"
              onPage={next => void navigate({ search: previous => ({ ...previous, page: next }) })}
            />
          </>
        )}
      </div>
    </Page>
  )
}
