/** The first steps of a new account or operator; each is ticked off once it is done. */
import './first-steps.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SmallButton } from '../components/controls.tsx'
import { accountsQuery } from '../queries/accounts-query.ts'
import { creditsQuery } from '../queries/credits-query.ts'
import { keysQuery } from '../queries/keys-query.ts'
import { useSession } from '../session/session.ts'

type Step = {
  readonly what: string
  readonly why: string
  /** Undefined if the step is not done on a page. */
  readonly to?: '/templates' | '/keys' | '/account' | '/accounts' | '/requests'
  /** Null while unknown. */
  readonly isDone: boolean | null
}

function useSteps(): readonly Step[] {
  const { account, service } = useSession()
  const isOperator = account.role === 'operator'
  const keys = useQuery(keysQuery())
  const credits = useInfiniteQuery(creditsQuery)
  const accounts = useQuery({ ...accountsQuery({ page: 1, search: '', order: 'oldest' }), enabled: isOperator })
  const movements = credits.data?.pages[0]?.movements
  const steps: Step[] = [
    {
      what: 'Set a password',
      why: 'Without one you need a new link when this session ends.',
      to: '/account',
      isDone: account.has_password,
    },
    {
      what: 'Make your first mockup',
      why: 'Choose a scene and put a picture into it. Previews are free; rendering in full costs one credit.',
      to: '/templates',
      isDone: movements === undefined ? null : movements.some(({ kind }) => kind === 'mockup'),
    },
    {
      what: 'Create a key for your programs',
      why: 'It is shown once, with a command that is ready to run.',
      to: '/keys',
      isDone: keys.data === undefined ? null : keys.data.in_all > 0,
    },
    {
      what: 'Send a request with it',
      why: 'Every request is listed under Requests, with the reason if it failed.',
      to: '/requests',
      isDone: keys.data === undefined ? null : keys.data.keys.some(({ last_used_at }) => last_used_at !== null),
    },
    {
      what: 'Switch on the second factor',
      why: account.has_password
        ? 'A code from your phone, in addition to the password.'
        : 'A code from your phone; set a password first.',
      to: '/account',
      isDone: account.two_factor_enabled,
    },
  ]
  if (!isOperator) return steps
  return [
    ...steps,
    {
      what: 'Let the service send mail',
      why: 'Set SMTP_URL and SMTP_FROM, so that links and warnings reach people.',
      isDone: service.mail,
    },
    {
      what: 'Sell credits',
      why: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET; without them you grant credits yourself.',
      isDone: service.payments,
    },
    {
      what: 'Create an account for a customer',
      why: 'They get a link that signs them in.',
      to: '/accounts',
      isDone: accounts.data === undefined ? null : accounts.data.total > 1,
    },
  ]
}

/** Saved in this browser when the user hides the list. */
const hiddenAs = (accountId: string) => `first-steps hidden ${accountId}`

export function FirstSteps() {
  const { account } = useSession()
  const [isHidden, setHidden] = useState(() => localStorage.getItem(hiddenAs(account.id)) !== null)
  return isHidden ? null : <StepList onHide={() => setHidden(true)} />
}

function StepList({ onHide }: { onHide: () => void }) {
  const { account } = useSession()
  const steps = useSteps()
  const doneCount = steps.filter(({ isDone }) => isDone === true).length
  const areAllDone = doneCount === steps.length
  useEffect(() => {
    if (areAllDone) localStorage.setItem(hiddenAs(account.id), 'done')
  }, [areAllDone, account.id])
  const hide = () => {
    localStorage.setItem(hiddenAs(account.id), 'hidden')
    onHide()
  }
  return (
    <section className="panel stack" aria-labelledby="first-steps">
      <div className="row row-spread">
        <h2 id="first-steps">First steps</h2>
        <span className="row">
          <span className="quiet">
            {doneCount} of {steps.length} done
          </span>
          <SmallButton label="Hide" of="the first steps" onClick={hide} />
        </span>
      </div>
      <ul className="first-steps">
        {steps.map(step => (
          <StepLine key={step.what} step={step} />
        ))}
      </ul>
    </section>
  )
}

function StepLine({ step: { what, why, to, isDone } }: { step: Step }) {
  return (
    <li className={isDone === true ? 'step-done' : undefined}>
      <span className="step-mark" aria-hidden="true">
        {isDone === true ? '✓' : ''}
      </span>
      <span>
        {isDone === true && <span className="visually-hidden">Done: </span>}
        {to === undefined || isDone === true ? <strong>{what}</strong> : <Link to={to}>{what}</Link>}
        {isDone !== true && <span className="cell-note">{why}</span>}
      </span>
    </li>
  )
}
