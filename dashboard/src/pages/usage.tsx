import './usage.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type DashboardUsage, dashboardUsageSchema } from '@vitrine/contract'
import { type ReactNode, useMemo } from 'react'
import { get } from '../api.ts'
import { Chart } from '../components/chart.tsx'
import { ButtonLink, Select } from '../components/controls.tsx'
import { Empty, Loading } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { keysQuery } from '../queries/keys-query.ts'

/** Counts requests that got no answer, and so no code. */
const CLIENT_LEFT = 'UNKNOWN'

const periods = [7, 30, 90, 365] as const
const route = getRouteApi('/signed-in/usage')

export function Usage() {
  const { days = 30, key } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery({ order: 'last-used' }))
  const chosen = useQuery({ ...keysQuery({ key: key ?? '' }), enabled: key !== undefined && key !== 'dashboard' })
  // The keys used last, and the one that is shown; the page of keys lists the rest.
  const offered = new Map(
    [...(keys.data?.keys ?? []), ...(chosen.data?.keys ?? []).filter(({ id }) => id === key)].map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const parameters = new URLSearchParams({ days: String(days), ...(key === undefined ? {} : { key }) })
  const usage = useQuery({
    queryKey: ['usage', days, key],
    queryFn: ({ signal }) => get(`/dashboard/api/usage?${parameters}`, dashboardUsageSchema, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <header className="page-head">
        <h1>Usage</h1>
        <div className="row">
          <Select
            label="Key"
            hideLabel
            value={key ?? ''}
            onChange={event =>
              void navigate({ search: previous => ({ ...previous, key: event.currentTarget.value || undefined }) })
            }
            options={[
              { value: '', label: 'All keys' },
              ...[...offered].map(([value, label]) => ({ value, label })),
              { value: 'dashboard', label: 'Dashboard' },
            ]}
          />
          <Select
            label="Period"
            hideLabel
            value={String(days)}
            onChange={event =>
              void navigate({ search: previous => ({ ...previous, days: Number(event.currentTarget.value) }) })
            }
            options={periods.map(value => ({ value: String(value), label: `${value} days` }))}
          />
          <a
            className="button button-quiet"
            href={`/dashboard/api/usage.csv?${parameters}`}
            download={`vitrine-usage-${days}d.csv`}
          >
            CSV
          </a>
        </div>
      </header>
      <Loading query={usage} rows={3} height={200} />
      {usage.data !== undefined &&
        (usage.data.totals.requests === 0 ? (
          <NoUsage />
        ) : (
          <Figures
            usage={usage.data}
            failuresOf={code => (
              <Link to="/requests" search={{ code, key }}>
                {code}
              </Link>
            )}
          />
        ))}
    </>
  )
}

function NoUsage() {
  return (
    <Empty title="No requests in this period">
      <p>Make a mockup with a key or in the dashboard, and it is counted here within a second.</p>
      <ButtonLink look="primary" to="/templates">
        Choose a template
      </ButtonLink>
    </Empty>
  )
}

/** `failuresOf` links to the requests that failed with a code. */
type FiguresProps = { usage: DashboardUsage; failuresOf: (code: string) => ReactNode }

export function Figures({ usage, failuresOf }: FiguresProps) {
  const { totals } = usage
  const days = useMemo(() => usage.days.map(({ date }) => date), [usage])
  const requests = useMemo(
    () => [
      { label: 'Requests', color: '--accent', values: usage.days.map(day => day.requests) },
      { label: 'Failed', color: '--danger', values: usage.days.map(day => day.failed) },
    ],
    [usage],
  )
  const mockups = useMemo(
    () => [{ label: 'Mockups', color: '--accent', values: usage.days.map(day => day.mockups) }],
    [usage],
  )
  const figures = [
    { label: 'Mockups', value: totals.mockups },
    { label: 'Credits', value: totals.credits },
    { label: 'Requests', value: totals.requests },
    { label: 'Failed', value: totals.failed },
  ]
  return (
    <div className="stack">
      <dl className="figures">
        {figures.map(({ label, value }) => (
          <div className="figure panel" key={label}>
            <dt>{label}</dt>
            <dd>{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      <Chart title="Mockups per day" days={days} series={mockups} />
      <Chart title="Requests per day" days={days} series={requests} />
      <div className="rankings">
        <Ranking
          title="Top templates"
          empty="No mockups yet."
          rows={usage.top_templates.map(({ template_id, name, count }) => ({
            name: template_id,
            count,
            shown: (
              <Link to="/templates/$id" params={{ id: template_id }}>
                {name ?? template_id}
              </Link>
            ),
          }))}
        />
        <Ranking
          title="Failures by code"
          empty="Nothing failed."
          rows={usage.failures_by_code.map(({ code, count }) => ({
            name: code,
            count,
            shown: code === CLIENT_LEFT ? 'The client disconnected before the answer' : failuresOf(code),
          }))}
        />
      </div>
    </div>
  )
}

type RankedRow = { name: string; count: number; shown: ReactNode }
type RankingProps = { title: string; empty: string; rows: readonly RankedRow[] }

function Ranking({ title, empty, rows }: RankingProps) {
  return (
    <section className="panel">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="quiet">{empty}</p>
      ) : (
        <table>
          <tbody>
            {rows.map(({ name, count, shown }) => (
              <tr key={name}>
                <th scope="row">{shown}</th>
                <td className="number">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
