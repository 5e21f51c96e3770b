/** Requests with what they asked for, how they were answered and why, and the filters over them. */
import './request-list.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LoggedRequest } from '@vitrine/contract'
import { formatCount } from '../format.ts'
import { type RequestFilters, requestOutcomeOf, requestsQuery } from '../pages/requests-query.ts'
import { Button, CopyButton, Select } from './controls.tsx'
import { Moment } from './moment.tsx'
import { SearchField } from './search-field.tsx'
import { Empty, Failure, Skeleton } from './states.tsx'
import { TableFrame } from './table-frame.tsx'

const outcomes = [
  { value: '', label: 'All answers' },
  { value: 'ok', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
]

type RequestListProps = {
  /** Where the requests are read. */
  path: string
  filters: RequestFilters
  /** The keys that are offered, by id. */
  keys: ReadonlyMap<string, string>
  onFilter: (changed: RequestFilters) => void
}

export function RequestList({ path, filters, keys, onFilter }: RequestListProps) {
  const list = useInfiniteQuery(requestsQuery(path, filters))
  const requests = list.data?.pages.flatMap(page => page.requests) ?? []
  const { outcome, key, code, search } = filters
  const isFiltered = [outcome, key, code, search].some(each => each !== undefined)
  return (
    <div className="stack">
      <div className="filters filters-three">
        <SearchField
          value={search ?? ''}
          placeholder="Request id or template id"
          onSearch={text => onFilter({ search: text.trim() || undefined })}
        />
        <Select
          label="Answer"
          value={outcome ?? ''}
          options={outcomes}
          onChange={event => onFilter({ outcome: requestOutcomeOf(event.currentTarget.value), code: undefined })}
        />
        <Select
          label="Key"
          value={key ?? ''}
          options={[
            { value: '', label: 'All keys' },
            ...[...keys].map(([value, label]) => ({ value, label })),
            { value: 'dashboard', label: 'Dashboard' },
          ]}
          onChange={event => onFilter({ key: event.currentTarget.value || undefined })}
        />
      </div>
      {code !== undefined && (
        <p className="row">
          <span>
            Only <code>{code}</code>
          </span>
          <Button className="button-small" onClick={() => onFilter({ code: undefined })}>
            Show all codes
          </Button>
        </p>
      )}
      {list.isPending && <Skeleton rows={6} />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && requests.length === 0 && (
        <Empty title={isFiltered ? 'No such requests' : 'No requests yet'}>
          <p>
            {isFiltered
              ? 'Requests are kept for 30 days. Choose other filters to see others.'
              : 'Every request with a key, and every mockup of the dashboard, is listed here for 30 days.'}
          </p>
        </Empty>
      )}
      {requests.length > 0 && <RequestTable requests={requests} onCode={each => onFilter({ code: each })} />}
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} aria-busy={list.isFetchingNextPage}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show older requests'}
        </Button>
      )}
    </div>
  )
}

type RequestTableProps = { requests: readonly LoggedRequest[]; onCode: (code: string) => void }

function RequestTable({ requests, onCode }: RequestTableProps) {
  return (
    <TableFrame
      label="Requests"
      columns={[
        'When',
        'Answer',
        'Request',
        'Key',
        { label: 'Time', look: 'number' },
        { label: 'Credits', look: 'number' },
      ]}
    >
      {requests.map(request => (
        <tr key={request.id}>
          <td data-label="When">
            <Moment iso={request.at} />
          </td>
          <td className="cell-title request-answer">
            <Answer request={request} onCode={onCode} />
          </td>
          <td data-label="Request" className="request-asked">
            <Asked request={request} />
          </td>
          <td data-label="Key">
            <span className="clip">{request.key_id === null ? 'Dashboard' : (request.key_name ?? request.key_id)}</span>
          </td>
          <td data-label="Time" className="number">
            {formatCount(request.duration_ms)} ms
          </td>
          <td data-label="Credits" className="number">
            {formatCount(request.credits)}
          </td>
        </tr>
      ))}
    </TableFrame>
  )
}

function Answer({
  request: { status, code, reason, hint, replayed },
  onCode,
}: {
  request: LoggedRequest
  onCode: (code: string) => void
}) {
  const isOk = status < 300
  return (
    <>
      <span className={isOk ? 'status-ok' : 'status-failed'}>{status}</span>{' '}
      {code === null ? (
        isOk ? (
          'OK'
        ) : (
          ''
        )
      ) : (
        <button type="button" className="link-button" onClick={() => onCode(code)}>
          {code}
          <span className="visually-hidden">: show only these</span>
        </button>
      )}
      {replayed && <span className="cell-note">An earlier answer again, without a charge.</span>}
      {reason !== null && <span className="cell-note">{reason}</span>}
      {hint !== null && <span className="cell-note">{hint}</span>}
    </>
  )
}

/** Paths are short here: all of them begin alike. */
const shortEndpoint = (endpoint: string): string => endpoint.replace(/ \/(api\/v1|dashboard\/api)/, ' ')

function Asked({ request: { id, endpoint, template_ids } }: { request: LoggedRequest }) {
  return (
    <>
      <code>{shortEndpoint(endpoint)}</code>
      {template_ids.length > 0 && (
        <span className="cell-note">
          {template_ids.map((template, index) => (
            <span key={template}>
              {index > 0 && ', '}
              <Link to="/templates/$id" params={{ id: template }}>
                {template}
              </Link>
            </span>
          ))}
        </span>
      )}
      <span className="cell-note request-id">
        <code>{id}</code> <CopyButton text={id} what="the request id" />
      </span>
    </>
  )
}
