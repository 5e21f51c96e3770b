import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/api-keys/api-keys.ts'
import { readCreditDays } from '../../src/credits/credit-days.ts'
import { Wallet } from '../../src/credits/wallet.ts'
import type { Database } from '../../src/database/database.ts'
import { newId } from '../../src/database/new-id.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const runs = isFull ? 1_000 : 12
const commandsPerRun = isFull ? 100 : 40

type ModelReservation = {
  readonly hasKey: boolean
  credits: number
  refunded: number
  state: 'reserved' | 'settled' | 'released' | 'expired'
  expiresAtMs: number
}

/** The expected wallet, and the expected usage: with the key, and without one. */
class Model {
  spendable = 0
  reserved = 0
  consumed = 0
  granted = 0
  purchased = 0
  nowMs = 1_000
  /** By payment number: its credits, and how many are taken back. */
  readonly payments = new Map<number, { readonly credits: number; reversed: number }>()
  readonly usage = { withKey: { consumed: 0, refunded: 0 }, withoutKey: { consumed: 0, refunded: 0 } }
  readonly reservations: ModelReservation[] = []

  end(reservation: ModelReservation, state: 'settled' | 'released' | 'expired'): void {
    reservation.state = state
    this.reserved -= reservation.credits
    if (state === 'settled') {
      this.consumed += reservation.credits
      this.usageOf(reservation).consumed += reservation.credits
    } else {
      this.spendable += reservation.credits
      this.usageOf(reservation).refunded += reservation.credits
    }
  }

  usageOf({ hasKey }: ModelReservation) {
    return hasKey ? this.usage.withKey : this.usage.withoutKey
  }
}

/** The real system: the wallet, and the ids of the model's reservations in the same order. */
type Real = {
  readonly database: Database
  readonly accountId: string
  readonly keyId: string
  wallet: Wallet
  nowMs: number
  readonly reservationIds: string[]
}

type Command = fc.AsyncCommand<Model, Real>

async function assertSame(model: Model, real: Real): Promise<void> {
  assert.deepEqual(await real.wallet.balance(real.accountId), {
    spendableCredits: model.spendable,
    reservedCredits: model.reserved,
    grantedCredits: model.granted,
    purchasedCredits: model.purchased,
    consumedCredits: model.consumed,
  })
  assert.deepEqual(await readUsage(real, real.keyId), model.usage.withKey)
  assert.deepEqual(await readUsage(real, null), model.usage.withoutKey)
}

async function readUsage({ database, accountId }: Real, keyId: string | null) {
  const days = await readCreditDays(database.queries, { accountId, keyId }, '1970-01-01', '9999-12-31')
  return {
    consumed: days.reduce((sum, day) => sum + day.consumed, 0),
    refunded: days.reduce((sum, day) => sum + day.refunded, 0),
  }
}

/** A command that can always run, with its name for failure reports. */
function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real)
      await assertSame(model, real)
    },
    toString: () => name,
  }
}

const grant = (credits: number) =>
  command(`grant ${credits}`, async (model, { wallet, accountId }) => {
    const result = await wallet.grant({ accountId, credits, reason: 'model' })
    model.granted += credits
    model.spendable += credits
    assert.deepEqual(result, { granted: true, spendableCredits: model.spendable })
  })

const purchase = (credits: number, payment: number) =>
  command(`purchase ${credits} by payment ${payment}`, async (model, { wallet, accountId, database }) => {
    const externalId = `${accountId} ${payment}`
    const isNew = !model.payments.has(payment)
    if (isNew) {
      const row = { id: externalId, account_id: accountId, credits, price_cents: credits, created_at_ms: model.nowMs }
      await database.queries
        .insertInto('payments')
        .values({ ...row, reversed_credits: 0, paid_at_ms: null, receipt_url: null })
        .execute()
    }
    const result = await wallet.purchase({ accountId, credits, reason: 'model', externalId })
    if (isNew) {
      model.payments.set(payment, { credits, reversed: 0 })
      model.purchased += credits
      model.spendable += credits
    }
    assert.deepEqual(result, { purchased: isNew, spendableCredits: model.spendable })
  })

/**
 * Takes back the requested credits as far as they are spendable; restores what is taken in excess of the
 * request.
 */
const setReversed = (creditsInAll: number, payment: number) =>
  command(`reverse ${creditsInAll} in all of payment ${payment}`, async (model, { wallet, accountId }) => {
    const paymentId = `${accountId} ${payment}`
    const result = await wallet.setReversed({ accountId, paymentId, creditsInAll, reason: 'model' })
    const paid = model.payments.get(payment)
    const wanted = paid === undefined ? 0 : Math.min(creditsInAll, paid.credits) - paid.reversed
    const taken = Math.min(wanted, model.spendable)
    if (paid !== undefined) paid.reversed += taken
    model.purchased -= taken
    model.spendable -= taken
    assert.deepEqual(result, { reversedCredits: taken })
  })

const reserve = (credits: number, lifeMs: number, hasKey: boolean) =>
  command(`reserve ${credits} for ${lifeMs} ms`, async (model, { wallet, accountId, keyId, reservationIds }) => {
    const expiresAtMs = model.nowMs + lifeMs
    const order = { accountId, keyId: hasKey ? keyId : null, credits, requestId: 'req', expiresAtMs }
    const result = await wallet.reserve(order)
    assert.equal(result.ok, model.spendable >= credits)
    if (result.ok) {
      model.spendable -= credits
      model.reserved += credits
      model.reservations.push({ hasKey, credits, refunded: 0, state: 'reserved', expiresAtMs })
      reservationIds.push(result.reservationId)
    }
    assert.equal(result.spendableCredits, model.spendable)
  })

/** Commands on a reservation use any existing one, including ended ones. */
const onReservation = (
  name: string,
  index: number,
  run: (model: Model, real: Real, reservation: ModelReservation, id: string) => Promise<void>,
) =>
  command(`${name} reservation ${index}`, async (model, real) => {
    const i = index % Math.max(1, model.reservations.length)
    const [reservation, id] = [model.reservations[i], real.reservationIds[i]]
    if (reservation && id !== undefined) await run(model, real, reservation, id)
  })

const settle = (index: number) =>
  onReservation('settle', index, async (model, { wallet }, reservation, id) => {
    const isMine = reservation.state === 'reserved'
    const result = await wallet.settle(id)
    if (isMine) model.end(reservation, 'settled')
    assert.deepEqual(result, { settled: isMine, state: reservation.state, spendableCredits: model.spendable })
  })

const release = (index: number) =>
  onReservation('release', index, async (model, { wallet }, reservation, id) => {
    const isMine = reservation.state === 'reserved'
    const result = await wallet.release(id, 'model')
    if (isMine) model.end(reservation, 'released')
    assert.deepEqual(result, { released: isMine, state: reservation.state, spendableCredits: model.spendable })
  })

/** Two concurrent calls of either kind: exactly one of them ends the reservation. */
const settleAndReleaseAtOnce = (index: number) =>
  onReservation('settle and release at once', index, async (model, { wallet }, reservation, id) => {
    const isOpen = reservation.state === 'reserved'
    const [settlement, giving] = await Promise.all([wallet.settle(id), wallet.release(id, 'model')])
    assert.equal(Number(settlement.settled) + Number(giving.released), isOpen ? 1 : 0)
    if (isOpen) model.end(reservation, settlement.settled ? 'settled' : 'released')
  })

const refund = (index: number, credits: number | undefined) =>
  onReservation(`refund ${credits ?? 'the rest'} of`, index, async (model, { wallet }, reservation, id) => {
    const left = reservation.state === 'settled' ? reservation.credits - reservation.refunded : 0
    const expected = credits === undefined ? left : credits <= left ? credits : 0
    const result = await wallet.refund(id, { reason: 'model', ...(credits !== undefined && { credits }) })
    reservation.refunded += expected
    model.consumed -= expected
    model.usageOf(reservation).consumed -= expected
    model.usageOf(reservation).refunded += expected
    model.spendable += expected
    assert.deepEqual(result, { refundedCredits: expected, spendableCredits: model.spendable })
  })

const expire = (laterMs: number) =>
  command(`sweep ${laterMs} ms later`, async (model, real) => {
    model.nowMs += laterMs
    real.nowMs = model.nowMs
    await real.wallet.sweep(model.nowMs)
    for (const reservation of model.reservations) {
      if (reservation.state === 'reserved' && reservation.expiresAtMs <= model.nowMs) model.end(reservation, 'expired')
    }
  })

const crashAndRestart = () =>
  command('crash and restart', async (model, real) => {
    real.wallet = new Wallet(real.database, { instanceId: newId('ins'), clock: () => real.nowMs })
    await real.wallet.recoverAtStart()
    for (const reservation of model.reservations) {
      if (reservation.state === 'reserved') model.end(reservation, 'released')
    }
  })

const credits = fc.integer({ min: 1, max: 12 })
const index = fc.nat({ max: 30 })
const commands = fc.commands<Model, Real, false>(
  [
    credits.map(grant),
    fc.tuple(credits, fc.nat({ max: 5 })).map(([amount, payment]) => purchase(amount, payment)),
    fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 5 })).map(([inAll, payment]) => setReversed(inAll, payment)),
    fc.tuple(credits, fc.integer({ min: 1, max: 500 })).map(([amount, lifeMs]) => reserve(amount, lifeMs, true)),
    fc.tuple(credits, fc.integer({ min: 1, max: 500 })).map(([amount, lifeMs]) => reserve(amount, lifeMs, false)),
    index.map(settle),
    index.map(release),
    index.map(settleAndReleaseAtOnce),
    fc.tuple(index, fc.option(credits, { nil: undefined })).map(([i, amount]) => refund(i, amount)),
    fc.integer({ min: 0, max: 200 }).map(expire),
    fc.constant(null).map(crashAndRestart),
  ],
  { size: 'max', maxCommands: commandsPerRun },
)

describeOnBothDatabases('the wallet against its model', use => {
  test(`and the usage agree after every one of up to ${commandsPerRun} commands, in ${runs} runs`, async t => {
    const { database } = use()
    const apiKeys = new ApiKeys(database, { onError: () => undefined })
    t.after(() => apiKeys.close())
    const property = fc.asyncProperty(commands, async list => {
      const real: Real = {
        database,
        accountId: '',
        keyId: '',
        wallet: new Wallet(database, { instanceId: newId('ins') }),
        nowMs: 1_000,
        reservationIds: [],
      }
      const { accountId } = await new Accounts(database).create({ email: `${newId('acc')}@example.org` })
      const { keyId } = await apiKeys.create({ accountId, name: 'model' })
      await fc.asyncModelRun(() => ({ model: new Model(), real: { ...real, accountId, keyId } }), list)
      await real.wallet.recoverAtStart() // the next run's sweeps are about its own reservations
    })
    await fc.assert(property, { numRuns: runs })
    assert.deepEqual((await new Wallet(database, { instanceId: 'ins_test' }).verifyLedger()).violations, [])
  })
})
