/** For operators: all accounts with credits, grants and invitations. An account's own page has the rest. */

import './accounts.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DashboardAccount, Invitation } from '@vitrine/contract'
import { useState } from 'react'
import { Button, Select, SmallButton } from '../components/controls.tsx'
import { Moment } from '../components/moment.tsx'
import { Pager } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Loading } from '../components/states.tsx'
import { type Column, Table } from '../components/table-frame.tsx'
import { formatCount } from '../format.ts'
import { accountOrderOf, accountOrders, accountsCsvPath, accountsQuery } from '../queries/accounts-query.ts'
import { CreateAccount, Grant, Invite, Invited } from './account-dialogs.tsx'
import { daysLeft } from './account-words.ts'

const route = getRouteApi('/signed-in/accounts')

/** The operator's current action and its account. */
type Step = { readonly doing: 'grant' | 'invite'; readonly account: DashboardAccount }

export function Accounts() {
  const { search = '', page = 1, order = 'oldest' } = route.useSearch()
  const navigate = route.useNavigate()
  const [step, setStep] = useState<Step | null>(null)
  const [creating, setCreating] = useState(false)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const accounts = useQuery(accountsQuery({ page, search, order }))
  const onSearch = (text: string) =>
    void navigate({ search: previous => ({ ...previous, search: text || undefined, page: undefined }), replace: true })
  const close = () => setStep(null)
  const onInvited = (made: Invitation) => {
    setCreating(false)
    setStep(null)
    setInvitation(made)
  }
  return (
    <>
      <header className="page-head">
        <h1>Accounts</h1>
        <div className="row">
          <a className="button button-quiet" href={accountsCsvPath({ search, order })} download="vitrine-accounts.csv">
            CSV
          </a>
          <Button look="primary" onClick={() => setCreating(true)}>
            Create account
          </Button>
        </div>
      </header>
      <div className="stack">
        <div className="filters filters-two">
          <SearchField value={search} placeholder="Part of an address" onSearch={onSearch} />
          <Select
            label="Order"
            value={order}
            options={Object.entries(accountOrders).map(([value, label]) => ({ value, label }))}
            onChange={event => {
              const { value } = event.currentTarget
              void navigate({ search: previous => ({ ...previous, order: accountOrderOf(value), page: undefined }) })
            }}
          />
        </div>
        <Loading query={accounts} rows={5} />
        {accounts.data !== undefined && (
          <>
            {accounts.data.accounts.length === 0 ? (
              <p>{search === '' ? 'There are no accounts on this page.' : `No address contains “${search}”.`}</p>
            ) : (
              <AccountTable accounts={accounts.data.accounts} onStep={setStep} />
            )}
            <Pager
              page={page}
              totalPages={accounts.data.total_pages}
              total={accounts.data.total}
              what="accounts"
              onPage={next => void navigate({ search: previous => ({ ...previous, page: next }) })}
            />
          </>
        )}
      </div>
      {creating && <CreateAccount onClose={() => setCreating(false)} onInvited={onInvited} />}
      {invitation !== null && <Invited invitation={invitation} onClose={() => setInvitation(null)} />}
      {step?.doing === 'grant' && <Grant account={step.account} onClose={close} />}
      {step?.doing === 'invite' && <Invite account={step.account} onClose={close} onInvited={onInvited} />}
    </>
  )
}

type AccountTableProps = { accounts: readonly DashboardAccount[]; onStep: (step: Step) => void }

function AccountTable({ accounts, onStep }: AccountTableProps) {
  const actions = (account: DashboardAccount) => (
    <>
      <SmallButton
        label="Grant"
        of={`credits to ${account.email}`}
        onClick={() => onStep({ doing: 'grant', account })}
      />
      {account.role !== 'operator' && account.suspended_at === null && (
        <SmallButton
          label="Sign-in link"
          of={`for ${account.email}`}
          onClick={() => onStep({ doing: 'invite', account })}
        />
      )}
    </>
  )
  return (
    <Table
      label="Accounts"
      rows={accounts}
      isSpent={({ suspended_at }) => suspended_at !== null}
      columns={[...columns, { label: 'Actions', look: 'cell-actions', cell: actions }]}
    />
  )
}

const columns: readonly Column<DashboardAccount>[] = [
  {
    label: 'E-mail',
    look: 'cell-title',
    cell: ({ id, email, role, suspended_at }) => (
      <>
        <Link className="clip" title={email} to="/accounts/$id" params={{ id }}>
          {email}
        </Link>
        {role === 'operator' && <span className="cell-note">Operator</span>}
        {suspended_at !== null && <span className="cell-note">Suspended</span>}
      </>
    ),
  },
  { label: 'Since', look: 'cell-minor', cell: ({ created_at }) => <Moment iso={created_at} to="day" /> },
  { label: 'Credits', look: 'number', cell: account => formatCount(account.spendable_credits) },
  { label: 'Runs out in', look: 'number', cell: daysLeft },
  { label: 'Mockups, 30 days', look: 'number cell-minor', cell: account => formatCount(account.mockups_30d) },
  {
    label: 'Last active',
    cell: ({ last_active_at: at }) => (at === null ? '–' : <Moment iso={at} to="day" />),
  },
]
