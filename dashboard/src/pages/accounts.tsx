/** Operators: every account, its credits, a grant, suspension. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DashboardAccount } from '@vitrine/contract'
import { type FormEvent, useState } from 'react'
import { get, post } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Moment } from '../components/moment.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { formatCount, formatCredits } from '../format.ts'
import { queryClient } from '../session/session.ts'

type AccountsAnswer = { accounts: DashboardAccount[]; total: number; page: number; total_pages: number }
const route = getRouteApi('/signed-in/accounts')

export function Accounts() {
  const { search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [granting, setGranting] = useState<DashboardAccount | null>(null)
  const [suspending, setSuspending] = useState<DashboardAccount | null>(null)
  const parameters = new URLSearchParams({ page: String(page), search })
  const accounts = useQuery({
    queryKey: ['accounts', page, search],
    queryFn: ({ signal }) => get<AccountsAnswer>(`/dashboard/api/accounts?${parameters}`, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <header className="page-head">
        <h1>Accounts</h1>
      </header>
      <div className="stack">
        <Field
          label="Search"
          type="search"
          value={search}
          onChange={event =>
            void navigate({ search: { search: event.currentTarget.value || undefined }, replace: true })
          }
        />
        {accounts.isPending && <Skeleton rows={5} />}
        {accounts.isError && <Failure error={accounts.error} onRetry={() => void accounts.refetch()} />}
        {accounts.data !== undefined && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <div className="table-scroll" tabIndex={0} role="region" aria-label="Accounts">
              <table>
                <thead>
                  <tr>
                    <th scope="col">E-mail</th>
                    <th scope="col">Role</th>
                    <th scope="col">Since</th>
                    <th scope="col">Status</th>
                    <th scope="col" className="number">
                      Keys
                    </th>
                    <th scope="col" className="number">
                      Credits
                    </th>
                    <th scope="col">
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {accounts.data.accounts.map(account => (
                    <tr key={account.id}>
                      <td>{account.email}</td>
                      <td>{account.role === 'operator' ? 'Operator' : 'Customer'}</td>
                      <td>
                        <Moment iso={account.created_at} />
                      </td>
                      <td>{account.suspended_at === null ? 'Active' : 'Suspended'}</td>
                      <td className="number">{formatCount(account.key_count)}</td>
                      <td className="number">{formatCount(account.spendable_credits)}</td>
                      <td className="row">
                        <Button className="button-small" onClick={() => setGranting(account)}>
                          Grant credits<span className="visually-hidden"> to {account.email}</span>
                        </Button>
                        {account.role !== 'operator' && (
                          <Button className="button-small" look="danger" onClick={() => setSuspending(account)}>
                            {account.suspended_at === null ? 'Suspend' : 'Restore'}
                            <span className="visually-hidden"> {account.email}</span>
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <div className="row">
              <Button
                disabled={page <= 1}
                onClick={() => void navigate({ search: previous => ({ ...previous, page: page - 1 }) })}
              >
                Previous
              </Button>
              <span>
                Page {page} of {Math.max(1, accounts.data.total_pages)} · {formatCount(accounts.data.total)} accounts
              </span>
              <Button
                disabled={page >= accounts.data.total_pages}
                onClick={() => void navigate({ search: previous => ({ ...previous, page: page + 1 }) })}
              >
                Next
              </Button>
            </div>
          </>
        )}
      </div>
      {granting !== null && <Grant account={granting} onClose={() => setGranting(null)} />}
      {suspending !== null && <Suspend account={suspending} onClose={() => setSuspending(null)} />}
    </>
  )
}

function Grant({ account, onClose }: { account: DashboardAccount; onClose: () => void }) {
  const [credits, setCredits] = useState('100')
  const [error, setError] = useState<Error | null>(null)
  // One form, one grant: a click that is sent twice is the same grant.
  const [grantId] = useState(() => crypto.randomUUID())
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = new FormData(event.currentTarget).get('reason')
    try {
      await post(`/dashboard/api/accounts/${encodeURIComponent(account.id)}/grant`, {
        credits: Number(credits),
        reason,
        grant_id: grantId,
      })
      await queryClient.invalidateQueries({ queryKey: ['accounts'] })
      announce(`Granted ${formatCredits(Number(credits))} to ${account.email}.`)
      onClose()
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return (
    <Dialog
      title={`Grant credits to ${account.email}`}
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="grant">
          Grant {formatCredits(Number(credits) || 0)}
        </Button>
      }
    >
      <form id="grant" className="form" onSubmit={submit}>
        <Field
          label="Credits"
          type="number"
          min={1}
          max={10_000_000}
          step={1}
          required
          value={credits}
          onChange={event => setCredits(event.currentTarget.value)}
          help={`Balance after: ${formatCount(account.spendable_credits + (Number(credits) || 0))}`}
        />
        <Field
          label="Reason"
          name="reason"
          required
          maxLength={200}
          help="The customer reads it among the movements."
        />
        {error !== null && <Failure error={error} />}
      </form>
    </Dialog>
  )
}

function Suspend({ account, onClose }: { account: DashboardAccount; onClose: () => void }) {
  const [error, setError] = useState<Error | null>(null)
  const suspend = account.suspended_at === null
  const act = async () => {
    try {
      await post(`/dashboard/api/accounts/${encodeURIComponent(account.id)}/${suspend ? 'suspend' : 'restore'}`)
      await queryClient.invalidateQueries({ queryKey: ['accounts'] })
      announce(suspend ? `Suspended ${account.email}.` : `Restored ${account.email}.`)
      onClose()
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return (
    <Dialog
      title={suspend ? `Suspend ${account.email}?` : `Restore ${account.email}?`}
      onClose={onClose}
      actions={
        <Button look="danger" onClick={act}>
          {suspend ? 'Suspend' : 'Restore'}
        </Button>
      }
    >
      <p>
        {suspend
          ? 'Its keys stop working and its sessions end at once. Credits, keys and books stay as they are; you can restore it.'
          : 'Its keys work again from now on.'}
      </p>
      {error !== null && <Failure error={error} />}
    </Dialog>
  )
}
