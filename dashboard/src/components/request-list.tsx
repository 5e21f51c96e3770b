/** A list of requests with filters. Each expands to what was requested, the answer and its reason. */
import './request-list.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LoggedRequest } from '@vitrine/contract'
import { type ReactNode, useId, useState } from 'react'
import { formatCount } from '../format.ts'
import { type RequestFilters, requestOutcomeOf, requestPeriodOf, requestsQuery } from '../queries/requests-query.ts'
import { Button, CopyButton, Select } from './controls.tsx'
import { Moment } from './moment.tsx'
import { SearchField } from './search-field.tsx'
import { Empty, Loading } from './states.tsx'
import { TableFrame } from './table-frame.tsx'

const outcomes = [
  { value: '', label: 'All' },
  { value: 'ok', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
]

const periods = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '', label: 'Last 30 days' },
]

type RequestListProps = {
  /** Path from which the requests are read. */
  path: string
  filters: RequestFilters
  /** Names of the keys to choose from, by id. */
  keys: ReadonlyMap<string, string>
  onFilter: (changed: RequestFilters) => void
  /** A filter specific to the page. */
  children?: ReactNode
}

export function RequestList({ path, filters, keys, onFilter, children }: RequestListProps) {
  const list = useInfiniteQuery(requestsQuery(path, filters))
  const requests = list.data?.pages.flatMap(page => page.requests) ?? []
  const { outcome, period, accounts, key, code, search } = filters
  const isFiltered = [outcome, period, key, code, search].some(each => each !== undefined)
  return (
    <div className="stack">
      <div className="filters request-filters">
        <SearchField
          value={search ?? ''}
          placeholder="Request id or template id"
          onSearch={text => onFilter({ search: text.trim() || undefined })}
        />
        {children}
        <Select
          label="Period"
          value={period ?? ''}
          options={periods}
          onChange={event => onFilter({ period: requestPeriodOf(event.currentTarget.value) })}
        />
        <Select
          label="Status"
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
      <Loading query={list} rows={6} />
      {list.data !== undefined && requests.length === 0 && (
        <Empty title={isFiltered ? 'No such requests' : 'No requests yet'}>
          <p>
            {isFiltered
              ? 'Requests are listed for 30 days. Choose other filters to see others.'
              : 'Every request with a key, and every mockup of the dashboard, is listed here for 30 days.'}
          </p>
        </Empty>
      )}
      {requests.length > 0 && (
        <RequestTable requests={requests} isOfAll={accounts === 'all'} onCode={each => onFilter({ code: each })} />
      )}
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} aria-busy={list.isFetchingNextPage}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show older requests'}
        </Button>
      )}
    </div>
  )
}

type RequestTableProps = {
  requests: readonly LoggedRequest[]
  /** Whether each request names its account. */
  isOfAll: boolean
  onCode: (code: string) => void
}

function RequestTable({ requests, isOfAll, onCode }: RequestTableProps) {
  return (
    <TableFrame
      label="Requests"
      columns={[
        { label: 'Time' },
        { label: 'Status' },
        ...(isOfAll ? [{ label: 'Account' }] : []),
        { label: 'Request' },
        { label: 'Key', look: 'cell-minor' },
        { label: 'Duration', look: 'number' },
        { label: 'Credits', look: 'number' },
        { label: 'Details', look: 'cell-actions' },
      ]}
    >
      {requests.map(request => (
        <RequestRows key={request.id} request={request} isOfAll={isOfAll} onCode={onCode} />
      ))}
    </TableFrame>
  )
}

type RequestRowsProps = { request: LoggedRequest; isOfAll: boolean; onCode: (code: string) => void }

function RequestRows({ request, isOfAll, onCode }: RequestRowsProps) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const { id, at, account, endpoint, template_ids, key_id, key_name, duration_ms, credits } = request
  return (
    <>
      <tr className="request-row">
        <td data-label="Time">
          <Moment iso={at} to="second" />
        </td>
        <td className="cell-title" data-label="Status">
          <Status request={request} onCode={onCode} />
        </td>
        {isOfAll && (
          <td data-label="Account">
            {account !== null && (
              <Link className="clip" to="/accounts/$id" params={{ id: account.id }} search={{ show: 'requests' }}>
                {account.email ?? account.id}
              </Link>
            )}
          </td>
        )}
        <td data-label="Request">
          <span className="clip request-asked">
            <code>{shortEndpoint(endpoint)}</code> {template_ids.join(', ')}
          </span>
        </td>
        <td data-label="Key" className="cell-minor">
          <span className="clip">{key_id === null ? 'Dashboard' : (key_name ?? key_id)}</span>
        </td>
        <td data-label="Duration" className="number">
          {formatCount(duration_ms)} ms
        </td>
        <td data-label="Credits" className="number">
          {formatCount(credits)}
        </td>
        <td className="cell-actions">
          <button
            type="button"
            className="link-button"
            aria-expanded={isOpen}
            aria-controls={detailId}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Close' : 'Details'}
            <span className="visually-hidden"> of {id}</span>
          </button>
        </td>
      </tr>
      <tr id={detailId} className="request-detail" hidden={!isOpen}>
        {isOpen && (
          <td colSpan={isOfAll ? 8 : 7}>
            <Detail request={request} />
          </td>
        )}
      </tr>
    </>
  )
}

function Status({ request: { status, code }, onCode }: Omit<RequestRowsProps, 'isOfAll'>) {
  return (
    <>
      <span className={status < 300 ? 'status-ok' : 'status-failed'}>{status}</span>{' '}
      {code !== null && (
        <button type="button" className="link-button" onClick={() => onCode(code)}>
          {code}
          <span className="visually-hidden">: show only these</span>
        </button>
      )}
    </>
  )
}

/** Paths are shortened: all have the same prefix. */
const shortEndpoint = (endpoint: string): string => endpoint.replace(/ \/(api\/v1|dashboard\/api)/, ' ')

function Detail({ request }: { request: LoggedRequest }) {
  const { id, endpoint, template_ids, reason, hint, replayed, key_id, key_name } = request
  return (
    <dl className="request-facts">
      {reason !== null && <Fact name="Reason">{reason}</Fact>}
      {hint !== null && <Fact name="What to do">{hint}</Fact>}
      {replayed && <Fact name="Charge">None: an earlier answer was sent again.</Fact>}
      <Fact name="Request id">
        <code>{id}</code> <CopyButton text={id} what="the request id" />
      </Fact>
      <Fact name="Endpoint">
        <code>{endpoint}</code>
      </Fact>
      {template_ids.length > 0 && (
        <Fact name="Templates">
          {template_ids.map((template, index) => (
            <span key={template}>
              {index > 0 && ', '}
              <Link to="/templates/$id" params={{ id: template }}>
                {template}
              </Link>
            </span>
          ))}
        </Fact>
      )}
      <Fact name="Key">{key_id === null ? 'Dashboard' : (key_name ?? key_id)}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
