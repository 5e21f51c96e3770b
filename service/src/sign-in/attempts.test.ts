import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import type { Database } from '../database/database.ts'
import { DatabaseRateLimiter } from '../rate-limits/rate-limiter.ts'
import { Attempts } from './attempts.ts'
import { ADDRESS_CHANGES_PER_ACCOUNT, attemptLimits, MAILS_PER_RECIPIENT, signUpLimits, turnLimits } from './limits.ts'
import { MailBudget } from './mail-budget.ts'

/** Attempts with a clock that stands still; `waits` are the requested sleeps. */
function attemptsOn(database: Database, { signUpsPerHour = 1000 } = {}) {
  const limiter = new DatabaseRateLimiter(database, { onError: assert.ifError })
  const waits: number[] = []
  const sleep = async (timeMs: number) => waits.push(timeMs)
  const nowMs = Date.now()
  return { limiter, waits, attempts: new Attempts(limiter, { signUpsPerHour, clock: () => nowMs, sleep }) }
}

/** How many of `count` calls are allowed. */
async function passing(count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let passed = 0
  for (let i = 0; i < count; i++)
    await call(i).then(
      () => (passed += 1),
      () => undefined,
    )
  return passed
}

const nobody = { email: null, device: null }

describeOnBothDatabases('Attempts', use => {
  it('are limited by account and network, account and site, network, and site', async () => {
    const { attempts, limiter } = attemptsOn(use().database)
    const email = 'limits@example.com'
    const guess = (address: string, to: string | null) => attempts.guess({ address, email: to, device: null })
    assert.equal(await passing(9, () => guess('192.0.2.1', email)), attemptLimits.perAccountAndNetwork)
    const rest = attemptLimits.perAccountAndSite - 9
    assert.equal(
      await passing(30, i => guess(`192.0.2.${10 + i}`, email)),
      rest + 4,
      'ones refused for the network do not count for the site',
    )
    assert.equal(await passing(30, () => guess('198.51.100.1', null)), attemptLimits.perNetwork)
    const left = attemptLimits.perSite - attemptLimits.perNetwork
    assert.equal(await passing(120, i => guess(`198.51.100.${10 + i}`, null)), left)
    await limiter.close()
  })

  it('of unknown browsers at one account have growing delays beyond the free ones, and of a known one none', async () => {
    const { attempts, limiter, waits } = attemptsOn(use().database)
    const email = 'siege@example.com'
    const guess = (i: number, device: string | null = null) =>
      attempts.guess({ address: `198.18.${i}.1`, email, device })
    assert.equal(await passing(turnLimits.freeGuesses, guess), turnLimits.freeGuesses)
    assert.deepEqual(waits, [])
    await guess(turnLimits.freeGuesses)
    await guess(turnLimits.freeGuesses + 1)
    assert.deepEqual(waits, [turnLimits.delayStepMs, 2 * turnLimits.delayStepMs])
    assert.equal(await passing(30, i => guess(100 + i)), 30)
    assert.equal(waits.at(-1), turnLimits.delayMaxMs, 'the delay is bounded')
    const before = waits.length
    assert.equal(await passing(20, i => guess(i, 'known')), attemptLimits.perKnownDevice)
    assert.equal(waits.length, before)
    await limiter.close()
  })

  it('that would wait too long for their turn are refused', async () => {
    const { limiter } = attemptsOn(use().database)
    const seen = { turns: 0, refused: 0 }
    const sleep = () => {
      seen.turns += 1
      return new Promise<void>(() => undefined)
    }
    const attempts = new Attempts(limiter, { signUpsPerHour: 1, clock: () => 0, sleep })
    const guess = (i: number) => attempts.guess({ address: `198.18.${i}.1`, email: 'queue@example.com', device: null })
    await passing(turnLimits.freeGuesses, guess)
    for (let i = 0; i < 30; i++) void guess(100 + i).catch(() => (seen.refused += 1))
    while (seen.turns + seen.refused < 30) await delay(1)
    assert.ok(seen.turns > 0 && seen.turns < 10, `${seen.turns} of 30 got a turn`)
    await limiter.close()
  })

  it('within a session are counted by account, as are changes of an address', async () => {
    const { attempts, limiter } = attemptsOn(use().database)
    assert.equal(await passing(20, () => attempts.guessInside('acc_1')), attemptLimits.perAccountInside)
    assert.equal(await passing(20, () => attempts.changeAddress('acc_1')), ADDRESS_CHANGES_PER_ACCOUNT)
    assert.equal(await passing(1, () => attempts.guessInside('acc_2')), 1)
    await limiter.close()
  })

  it('to sign up are limited by network, by site, and in total', async () => {
    const { attempts, limiter } = attemptsOn(use().database, { signUpsPerHour: 60 })
    assert.equal(await passing(20, () => attempts.signUp('2001:db8:1:1::1')), signUpLimits.perNetwork)
    const left = signUpLimits.perSite - signUpLimits.perNetwork
    assert.equal(await passing(99, i => attempts.signUp(`2001:db8:1:${i + 2}::1`)), left)
    assert.equal(await passing(99, i => attempts.signUp(`198.18.${i}.1`)), 60 - signUpLimits.perSite)
    await limiter.close()
  })

  it('for one purpose do not count for another, nor by an address that looks like a network', async () => {
    const { attempts, limiter } = attemptsOn(use().database)
    const address = '203.0.113.9'
    await passing(99, i => attempts.guess({ address: `198.18.${i}.1`, email: address, device: null }))
    assert.equal(await passing(1, () => attempts.guess({ address, ...nobody })), 1)
    await passing(99, () => attempts.guess({ address, ...nobody }))
    assert.equal(await passing(1, () => attempts.reset(address)), 1)
    assert.equal(await passing(1, () => attempts.askForMail({ address, ...nobody })), 1)
    await limiter.close()
  })
})

describe('Mail caused by strangers', () => {
  describeOnBothDatabases('is limited', use => {
    it('by recipient, separately for known browsers, and in total, which the operator is told', async () => {
      const limiter = new DatabaseRateLimiter(use().database, { onError: assert.ifError })
      const told: string[] = []
      const budget = new MailBudget(limiter, { mailsPerHour: 5, onExhausted: kind => told.push(kind) })
      const sent = async (count: number, to: (i: number) => string, device: string | null = null) => {
        let mails = 0
        for (let i = 0; i < count; i++) if (await budget.allows('reset', to(i), device)) mails += 1
        return mails
      }
      assert.equal(await sent(50, () => 'bombed@example.com'), MAILS_PER_RECIPIENT)
      assert.equal(await sent(50, () => 'Bombed@example.com', 'known'), MAILS_PER_RECIPIENT)
      assert.deepEqual(told, [])
      assert.equal(await sent(50, i => `other-${i}@example.com`), 2)
      assert.deepEqual(new Set(told), new Set(['reset']))
      assert.ok(await budget.allows('confirm', 'bombed@example.com', null), 'of one kind')
      await limiter.close()
    })
  })
})
