import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccountBudget } from './account-budget.ts'
import type { Arrival } from './arrivals.ts'
import { BudgetExhaustedError } from './budget-exhausted-error.ts'
import {
  ARRIVING_PER_QUEUE_PLACE,
  ARRIVING_PER_UNFUNDED_ACCOUNT,
  ARRIVING_UNFUNDED,
  DEBT_MS,
  FUNDED_FOR_MS,
  RECEIVED_BYTES,
  RECEIVED_BYTES_PER_ACCOUNT,
  RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT,
  UNFUNDED_FOR_MS,
  UNPAID_WINDOW_MS,
} from './limits.ts'

const QUEUE_LIMIT = 8
const UNPAID_SECONDS = 60

/** A budget with a clock and a wallet that the test controls. */
function start() {
  let nowMs = 0
  const credits = new Map<string, number>()
  const asked: string[] = []
  const refusals: string[] = []
  const budget = new AccountBudget({
    wallet: {
      spendableOf: async accountIds => {
        asked.push(...accountIds)
        return new Map(accountIds.map(id => [id, credits.get(id) ?? 0]))
      },
    },
    queueLimit: QUEUE_LIMIT,
    unpaidRenderSeconds: UNPAID_SECONDS,
    clock: () => nowMs,
    onRefusal: name => refusals.push(name),
  })
  return { budget, credits, asked, refusals, pass: (timeMs: number) => (nowMs += timeMs) }
}

/** Begins requests until one is refused. */
function fill(budget: AccountBudget, accountId: string, isFunded: boolean): Arrival[] {
  const begun: Arrival[] = []
  try {
    for (;;) begun.push(budget.arrive(accountId, isFunded))
  } catch (error) {
    assert.ok(error instanceof BudgetExhaustedError)
    assert.ok(error.retryAfterS >= 1)
  }
  return begun
}

describe('Requests that arrive', () => {
  it('of an account without credits are limited in number, and one more may begin when one is complete', () => {
    const { budget, refusals } = start()
    const [first, ...others] = fill(budget, 'poor', false)
    assert.equal(others.length + 1, ARRIVING_PER_UNFUNDED_ACCOUNT)
    assert.deepEqual(refusals, ['arriving'])
    first?.complete()
    first?.[Symbol.dispose]()
    assert.equal(fill(budget, 'poor', false).length, 1)
    assert.equal(budget.arrivingCount, ARRIVING_PER_UNFUNDED_ACCOUNT)
  })

  it('of all accounts without credits are limited, without affecting accounts with credits', () => {
    const { budget } = start()
    const accounts = Array.from({ length: ARRIVING_UNFUNDED }, (_, index) => `poor ${index}`)
    const begun = accounts.flatMap(accountId => fill(budget, accountId, false))
    assert.equal(begun.length, ARRIVING_UNFUNDED)
    assert.equal(fill(budget, 'rich', true).length, ARRIVING_PER_QUEUE_PLACE * QUEUE_LIMIT)
    for (const arrival of begun) arrival[Symbol.dispose]()
    assert.equal(fill(budget, 'poor', false).length, ARRIVING_PER_UNFUNDED_ACCOUNT)
  })

  it('of an account with credits may exceed the queue’s places, without affecting other accounts', () => {
    const { budget } = start()
    assert.ok(fill(budget, 'greedy', true).length > QUEUE_LIMIT)
    assert.ok(fill(budget, 'modest', true).length > 0)
  })

  it('may each be as large as a request may be, and together as large as the account’s bound, until they end', () => {
    for (const [isFunded, maxBytes] of [
      [false, RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT],
      [true, RECEIVED_BYTES_PER_ACCOUNT],
    ] as const) {
      const { budget, refusals } = start()
      const large = budget.arrive('a', isFunded)
      assert.equal(budget.receive(large, maxBytes), null)
      assert.equal(budget.receive(large, 1), null, 'one is never refused')
      large.complete()
      const small = budget.arrive('a', isFunded)
      assert.equal(budget.receive(small, 1)?.budget, 'received_bytes')
      assert.deepEqual(refusals, ['received_bytes'])
      large[Symbol.dispose]()
      large[Symbol.dispose]()
      using other = budget.arrive('a', isFunded)
      assert.equal(budget.receive(other, maxBytes - 1), null, 'at the bound with the byte of the small one')
      assert.equal(budget.receive(other, 1)?.budget, 'received_bytes')
    }
  })

  it('have a bound in bytes for all accounts together', () => {
    const { budget } = start()
    for (let sum = 0; sum < RECEIVED_BYTES; sum += RECEIVED_BYTES_PER_ACCOUNT)
      assert.equal(budget.receive(budget.arrive(`account ${sum}`, true), RECEIVED_BYTES_PER_ACCOUNT), null)
    assert.equal(budget.receive(budget.arrive('last', true), 1)?.budget, 'received_bytes')
  })
})

describe('Cached knowledge of an account’s credits', () => {
  it('is read from the wallet once, and again after it expires', async () => {
    const { budget, credits, asked, pass } = start()
    credits.set('rich', 5)
    assert.deepEqual([await budget.isFunded('rich'), await budget.isFunded('poor')], [true, false])
    pass(UNFUNDED_FOR_MS - 1)
    assert.deepEqual([await budget.isFunded('rich'), await budget.isFunded('poor')], [true, false])
    assert.deepEqual(asked, ['rich', 'poor'])
    credits.set('poor', 1)
    pass(1)
    assert.equal(await budget.isFunded('poor'), true)
    pass(FUNDED_FOR_MS)
    credits.set('rich', 0)
    assert.equal(await budget.isFunded('rich'), false)
  })

  it('is updated by every answer of the wallet', async () => {
    const { budget, asked } = start()
    budget.noteSpendable('a', 1)
    assert.equal(await budget.isFunded('a'), true)
    budget.noteSpendable('a', 0)
    assert.equal(await budget.isFunded('a'), false)
    assert.deepEqual(asked, [])
  })
})

describe('Processor time of renders', () => {
  it('is free if paid for, and counted if they failed or ended after their request', () => {
    const { budget, refusals } = start()
    const paid = budget.beginWork('a')
    paid.add(UNPAID_SECONDS * 1000)
    paid.pay()
    budget.assertMayRender('a')
    const failed = budget.beginWork('a')
    failed.add(UNPAID_SECONDS * 1000 - 1)
    failed.fail()
    failed.fail()
    budget.assertMayRender('a')
    failed.add(1)
    assert.throws(() => budget.assertMayRender('a'), { budget: 'unpaid_time', retryAfterS: 1 })
    assert.deepEqual(refusals, ['unpaid_time'])
    budget.assertMayRender('b')
  })

  it('is a debt above a threshold if unpaid, until it is restored', () => {
    const { budget, pass } = start()
    const work = budget.beginWork('a')
    work.add(DEBT_MS)
    work.fail()
    assert.equal(budget.isInDebt('a'), false)
    work.add(1)
    assert.deepEqual([budget.isInDebt('a'), budget.isInDebt('b')], [true, false])
    budget.assertMayRender('a')
    pass((1 * UNPAID_WINDOW_MS) / (UNPAID_SECONDS * 1000))
    assert.equal(budget.isInDebt('a'), false)
  })

  it('is counted after all if paid for and then refunded', () => {
    const { budget } = start()
    const work = budget.beginWork('a')
    work.add(UNPAID_SECONDS * 1000)
    work.pay()
    work.fail()
    assert.throws(() => budget.assertMayRender('a'), BudgetExhaustedError)
  })

  it('is restored at a constant rate, fully in ten minutes, and a client that waits as told is not refused', () => {
    const { budget, pass } = start()
    const work = budget.beginWork('a')
    work.add(UNPAID_SECONDS * 1000 + 5000)
    work.fail()
    let retryAfterS = 0
    assert.throws(
      () => budget.assertMayRender('a'),
      (error: unknown) => {
        assert.ok(error instanceof BudgetExhaustedError)
        retryAfterS = error.retryAfterS
        return true
      },
    )
    // Five seconds over budget, at six seconds restored per minute.
    assert.equal(retryAfterS, 50)
    pass(retryAfterS * 1000 - 2)
    assert.throws(() => budget.assertMayRender('a'), BudgetExhaustedError)
    pass(3)
    budget.assertMayRender('a')
  })
})
