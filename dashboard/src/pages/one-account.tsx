/** For operators: one account with its figures, grants, and everything that it can see itself. */

import './accounts.css'
import './one-account.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { DashboardAccount, Invitation } from '@vitrine/contract'
import { useState } from 'react'
import { Button } from '../components/controls.tsx'
import { Moment } from '../components/moment.tsx'
import { Movements } from '../components/movements.tsx'
import { RequestList } from '../components/request-list.tsx'
import { Empty, Loading } from '../components/states.tsx'
import { WayBack } from '../components/way-back.tsx'
import { formatCount } from '../format.ts'
import {
  type AccountView,
  accountPath,
  accountQuery,
  accountViewOf,
  accountViews,
  keysOfAccountQuery,
  usageOfAccountQuery,
} from '../queries/accounts-query.ts'
import { movementsOfAccountQuery } from '../queries/credits-query.ts'
import { Delete, Grant, Invite, Invited, Suspend } from './account-dialogs.tsx'
import { daysLeft } from './account-words.ts'
import { KeyTable } from './key-table.tsx'
import { Figures } from './usage.tsx'

const route = getRouteApi('/signed-in/accounts/$id')

export function OneAccount() {
  const { id } = route.useParams()
  const { show = 'usage' } = route.useSearch()
  const account = useQuery(accountQuery(id))
  return (
    <>
      <WayBack to="/accounts">Accounts</WayBack>
      <Loading query={account} rows={5} />
      {account.data !== undefined && (
        <>
          <Head account={account.data} />
          <div className="stack">
            <Facts account={account.data} />
            <Views shown={show} />
            {show === 'usage' && <UsageOf id={id} />}
            {show === 'requests' && <RequestsOf id={id} />}
            {show === 'movements' && <MovementsOf id={id} />}
            {show === 'keys' && <KeysOf id={id} />}
          </div>
        </>
      )}
    </>
  )
}

function Head({ account }: { account: DashboardAccount }) {
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'grant' | 'suspend' | 'invite' | 'delete' | null>(null)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const close = () => setDoing(null)
  const isCustomer = account.role !== 'operator'
  return (
    <header className="page-head">
      <div>
        <h1 className="account-title">{account.email}</h1>
        <p className="quiet small">
          {isCustomer ? (account.suspended_at === null ? 'Active' : 'Suspended') : 'Operator'} · since{' '}
          <Moment iso={account.created_at} />
        </p>
      </div>
      <div className="row">
        <Button look="primary" onClick={() => setDoing('grant')}>
          Grant credits
        </Button>
        {isCustomer && (
          <>
            {account.suspended_at === null && <Button onClick={() => setDoing('invite')}>Sign-in link</Button>}
            <Button onClick={() => setDoing('suspend')}>{account.suspended_at === null ? 'Suspend' : 'Restore'}</Button>
            <Button look="danger" onClick={() => setDoing('delete')}>
              Delete
            </Button>
          </>
        )}
      </div>
      {doing === 'grant' && <Grant account={account} onClose={close} />}
      {doing === 'suspend' && <Suspend account={account} onClose={close} />}
      {doing === 'invite' && (
        <Invite
          account={account}
          onClose={close}
          onInvited={made => {
            close()
            setInvitation(made)
          }}
        />
      )}
      {doing === 'delete' && (
        <Delete account={account} onClose={close} onDeleted={() => void navigate({ to: '/accounts' })} />
      )}
      {invitation !== null && <Invited invitation={invitation} onClose={() => setInvitation(null)} />}
    </header>
  )
}

function Facts({ account }: { account: DashboardAccount }) {
  const facts = [
    { label: 'Balance', value: formatCount(account.spendable_credits), note: 'credits' },
    { label: 'Runs out in', value: daysLeft(account), note: `${formatCount(account.credits_30d)} spent in 30 days` },
    { label: 'Mockups', value: formatCount(account.mockups_30d), note: 'in 30 days' },
    { label: 'Active keys', value: formatCount(account.key_count), note: '' },
  ]
  return (
    <>
      <dl className="figures">
        {facts.map(({ label, value, note }) => (
          <div className="figure panel" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {note !== '' && <dd className="quiet small">{note}</dd>}
          </div>
        ))}
      </dl>
      <p className="quiet">
        {account.last_active_at === null ? (
          'No request yet, or none for a long time.'
        ) : (
          <>
            Last active: <Moment iso={account.last_active_at} />
          </>
        )}
      </p>
    </>
  )
}

const viewNames = Object.entries(accountViews).map(([name, label]) => ({ view: accountViewOf(name), label }))

function Views({ shown }: { shown: AccountView }) {
  return (
    <nav className="row" aria-label="What is shown">
      {viewNames.map(({ view, label }) => (
        <Link
          key={label}
          from="/accounts/$id"
          to="/accounts/$id"
          search={{ show: view }}
          resetScroll={false}
          className={`button button-small button-${(view ?? 'usage') === shown ? 'primary' : 'quiet'}`}
          aria-current={(view ?? 'usage') === shown ? 'true' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function UsageOf({ id }: { id: string }) {
  const usage = useQuery(usageOfAccountQuery(id))
  if (!usage.isSuccess) return <Loading query={usage} rows={3} height={200} />
  return (
    <>
      <div className="row">
        <a className="button button-quiet" href={accountPath(id, '/usage.csv?days=365')} download>
          CSV of a year
        </a>
      </div>
      <Figures
        usage={usage.data}
        failuresOf={code => (
          <Link to="/accounts/$id" params={{ id }} search={{ show: 'requests', code }}>
            {code}
          </Link>
        )}
      />
    </>
  )
}

function RequestsOf({ id }: { id: string }) {
  const { show: _show, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysOfAccountQuery(id))
  return (
    <RequestList
      path={accountPath(id, '/requests')}
      filters={filters}
      keys={new Map((keys.data?.keys ?? []).map(key => [key.id, key.name]))}
      onFilter={changed =>
        void navigate({ search: previous => ({ ...previous, ...changed }), replace: true, resetScroll: false })
      }
    />
  )
}

function MovementsOf({ id }: { id: string }) {
  const list = useInfiniteQuery(movementsOfAccountQuery(id))
  if (!list.isSuccess) return <Loading query={list} rows={4} />
  return (
    <Movements
      filtered={false}
      order="newest"
      movements={list.data.pages.flatMap(({ movements }) => movements)}
      more={list.hasNextPage}
      loading={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
    />
  )
}

function KeysOf({ id }: { id: string }) {
  const list = useQuery(keysOfAccountQuery(id))
  if (!list.isSuccess) return <Loading query={list} rows={4} />
  const { keys, total } = list.data
  if (keys.length === 0) return <Empty title="No keys">This account has not created a key.</Empty>
  return (
    <>
      {total > keys.length && <p className="quiet">The {formatCount(keys.length)} keys that were used last.</p>}
      <KeyTable
        keys={keys}
        requestsOf={(key, shown) => (
          <Link to="/accounts/$id" params={{ id }} search={{ show: 'requests', key: key.id }}>
            {shown}
          </Link>
        )}
      />
    </>
  )
}
