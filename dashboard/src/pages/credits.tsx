import './credits.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type CreditPack, checkoutSchema, paymentSchema } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { get, post } from '../api.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { Button, Select } from '../components/controls.tsx'
import { Movements } from '../components/movements.tsx'
import { Page } from '../components/page.tsx'
import { Failure, Loading } from '../components/states.tsx'
import { useWork } from '../components/use-action.ts'
import { formatCents, formatCount, formatCredits } from '../format.ts'
import {
  movementFilterOf,
  movementFilters,
  movementOrderOf,
  movementOrders,
  movementsQuery,
} from '../queries/credits-query.ts'
import { keepReturnPath, readReturnPath } from '../session/return-path.ts'
import { queryClient, useSession } from '../session/session.ts'

const perMockup = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

const route = getRouteApi('/signed-in/credits')

export function Credits() {
  const { payment, back, show = 'all', order = 'newest' } = route.useSearch()
  const navigate = route.useNavigate()
  const credits = useInfiniteQuery(movementsQuery(show, order))
  const first = credits.data?.pages[0]
  return (
    <Page title="Credits">
      {payment !== undefined && payment !== 'cancelled' && <PaymentNotice paymentId={payment} />}
      {payment === 'cancelled' && (
        <p className="notice" role="status">
          The payment was cancelled. Nothing was charged.
        </p>
      )}
      <Loading query={credits} rows={4} />
      {first !== undefined && (
        <div className="stack">
          <dl className="figures">
            <div className="figure panel">
              <dt>Balance</dt>
              <dd>{formatCount(first.spendable_credits)}</dd>
              <dd className="quiet small">
                {formatCents(first.spendable_credits)} · one credit makes one mockup
                {first.reserved_credits > 0 &&
                  ` · ${formatCredits(first.reserved_credits)} reserved for mockups in progress`}
              </dd>
            </div>
          </dl>
          <Packs packs={first.packs} balance={first.spendable_credits} back={back} />
          <div className="row row-spread">
            <h2>Movements</h2>
            <div className="row">
              <Select
                label="Show"
                hideLabel
                value={show}
                onChange={event => {
                  const next = movementFilterOf(event.currentTarget.value)
                  void navigate({
                    search: previous => ({ ...previous, show: next }),
                    replace: true,
                    resetScroll: false,
                  })
                }}
                options={movementFilters}
              />
              <Select
                label="Order"
                hideLabel
                value={order}
                onChange={event => {
                  const next = movementOrderOf(event.currentTarget.value)
                  void navigate({
                    search: previous => ({ ...previous, order: next }),
                    replace: true,
                    resetScroll: false,
                  })
                }}
                options={movementOrders}
              />
            </div>
          </div>
          <Movements
            filtered={show !== 'all'}
            order={order}
            movements={(credits.data?.pages ?? []).flatMap(({ movements }) => movements)}
            more={credits.hasNextPage}
            loading={credits.isFetchingNextPage}
            onMore={() => void credits.fetchNextPage()}
          />
        </div>
      )}
    </Page>
  )
}

const PAYMENT_POLL_MS = 2_000

/** Polls until the payment is in the balance, then returns to what the user was doing before it. */
function PaymentNotice({ paymentId }: { paymentId: string }) {
  const navigate = useNavigate()
  const payment = useQuery({
    queryKey: ['payment', paymentId],
    queryFn: ({ signal }) =>
      get(`/dashboard/api/credits/payments/${encodeURIComponent(paymentId)}`, paymentSchema, signal),
    refetchInterval: ({ state }) =>
      state.data?.credited === true || state.status === 'error' ? false : PAYMENT_POLL_MS,
  })
  const credited = payment.data?.credited === true ? payment.data.credits : null
  useEffect(() => {
    if (credited === null) return
    announceUnseen(`${formatCredits(credited)} were added to your balance.`)
    void queryClient.invalidateQueries({ queryKey: ['credits'] })
  }, [credited])
  if (payment.isError) return <Failure error={payment.error} onRetry={() => void payment.refetch()} />
  if (credited === null) {
    return (
      <p className="notice" role="status">
        Thank you. The credits appear here as soon as the payment is confirmed, usually within seconds.
      </p>
    )
  }
  const back = readReturnPath()
  return (
    <div className="notice" role="status">
      <p>
        <strong>+{formatCredits(credited)}.</strong> Thank you: they are in your balance.
      </p>
      {back !== undefined && (
        <div className="row">
          <Button look="primary" onClick={() => void navigate({ to: back })}>
            Back to where you were
          </Button>
        </div>
      )}
    </div>
  )
}

function NothingForSale() {
  const isOperator = useSession().account.role === 'operator'
  return (
    <section className="notice" aria-label="How to get credits">
      {isOperator ? (
        <p>
          <strong>This service sells no credits.</strong> Grant them under <Link to="/accounts">Accounts</Link>, to
          yourself too, or set <code>STRIPE_SECRET_KEY</code> and <code>STRIPE_WEBHOOK_SECRET</code> to sell them.
        </p>
      ) : (
        <p>
          <strong>This service sells no credits.</strong> Its operator grants them: write to the person who runs it.
        </p>
      )}
    </section>
  )
}

/** The pack with the lowest price per mockup; null if all are equal. */
function bestPack(packs: readonly CreditPack[]): CreditPack | null {
  const priceOf = ({ credits, price_cents }: CreditPack) => price_cents / credits
  const [best, ...others] = packs.toSorted((a, b) => priceOf(a) - priceOf(b))
  return best !== undefined && others.some(pack => priceOf(pack) > priceOf(best)) ? best : null
}

type PacksProps = { packs: readonly CreditPack[]; balance: number; back: string | undefined }

function Packs({ packs, balance, back }: PacksProps) {
  const [buying, setBuying] = useState<number | null>(null)
  const { error, run: buy } = useWork(async (credits: number) => {
    setBuying(credits)
    try {
      const { url } = await post('/dashboard/api/credits/checkout', { credits }, checkoutSchema)
      keepReturnPath(back)
      location.assign(url)
    } catch (failure) {
      setBuying(null)
      throw failure
    }
  })
  if (packs.length === 0) return <NothingForSale />
  const best = bestPack(packs)
  return (
    <section aria-labelledby="packs">
      <h2 id="packs">Buy credits</h2>
      <div className="figures packs">
        {packs.map(({ credits, price_cents }) => (
          <div key={credits} className={credits === best?.credits ? 'panel pack pack-best' : 'panel pack'}>
            <h3>
              {formatCredits(credits)}{' '}
              {credits === best?.credits && <span className="pack-note">lowest price per mockup</span>}
            </h3>
            <p className="quiet">
              {perMockup.format(price_cents / credits)}¢ a mockup
              <br />
              Balance after: {formatCount(balance + credits)}
            </p>
            <Button
              look={credits === best?.credits ? 'primary' : 'quiet'}
              aria-busy={buying === credits}
              onClick={() => void buy(credits)}
            >
              {buying === credits ? 'Opening the checkout…' : `Buy for ${formatCents(price_cents)}`}
            </Button>
          </div>
        ))}
      </div>
      {error !== null && <Failure error={error} />}
    </section>
  )
}
