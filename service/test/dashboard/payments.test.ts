import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { auditListSchema, creditsSchema } from '@vitrine/contract'
import { TestService } from '../http/test-service.ts'
import { FakeStripe, sendEvent, WEBHOOK_SECRET } from './fake-stripe.ts'
import { Visitor } from './visitor.ts'

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`Credits through Stripe, on ${kind}`, () => {
    let stripe: FakeStripe
    let service: TestService
    before(async () => {
      stripe = await FakeStripe.start()
      service = await TestService.start(kind, {
        environment: { STRIPE_SECRET_KEY: 'sk_test_of_vitrine', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
        stripeApi: stripe.api,
      })
    })
    after(async () => {
      await service[Symbol.asyncDispose]()
      await stripe[Symbol.asyncDispose]()
    })

    const event = (sent: Parameters<typeof sendEvent>[1]) => sendEvent(service.running.url, sent)
    const creditsOf = async (visitor: Visitor) =>
      creditsSchema.parse(await (await visitor.send('/dashboard/api/credits')).json())
    const buy = async (visitor: Visitor, credits: number) => {
      const answer = await visitor.send('/dashboard/api/credits/checkout', { json: { credits } })
      assert.equal(answer.status, 200)
      const checkout = stripe.checkouts.at(-1)
      assert.ok(checkout)
      return checkout
    }

    it('a paid pack is credited exactly once, however often its event arrives, with its receipt', async () => {
      const visitor = await Visitor.enter(service, 'buyer@example.com', 'customer', 0)
      const checkout = await buy(visitor, 1000)
      assert.equal(checkout.amount, 900)
      assert.equal((await creditsOf(visitor)).spendable_credits, 0, 'opening a checkout adds no credits')
      const answers = await Promise.all(Array.from({ length: 8 }, () => event(stripe.paid(checkout))))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const credits = await creditsOf(visitor)
      assert.equal(credits.spendable_credits, 1000)
      assert.deepEqual(
        credits.movements.map(({ kind: what, credits: amount, receipt_url }) => [what, amount, receipt_url]),
        [['purchase', 1000, 'https://pay.example/receipt']],
      )
      const operator = await Visitor.enter(service, 'auditor@example.com', 'owner')
      const path = '/dashboard/api/audit?action=purchase&email=buyer@example.com'
      assert.equal((await operator.read(auditListSchema, path)).total, 1, 'recorded once')
    })

    it('a repeated event adds a receipt that could not be read, and removes none', async () => {
      const visitor = await Visitor.enter(service, 'receipt@example.com', 'customer', 0)
      const checkout = await buy(visitor, 100)
      const receiptAfter = async (hasReceipts: boolean) => {
        stripe.hasReceipts = hasReceipts
        assert.equal((await event(stripe.paid(checkout))).status, 200)
        stripe.hasReceipts = true
        return (await creditsOf(visitor)).movements.map(({ receipt_url }) => receipt_url)
      }
      assert.deepEqual(await receiptAfter(false), [null])
      assert.deepEqual(await receiptAfter(true), ['https://pay.example/receipt'])
      assert.deepEqual(await receiptAfter(false), ['https://pay.example/receipt'])
    })

    it('an event that is forged, changed, stale, unpaid or of another amount adds no credits', async () => {
      const visitor = await Visitor.enter(service, 'forger@example.com', 'customer', 0)
      const checkout = await buy(visitor, 10_000)
      const real = stripe.paid(checkout)
      assert.equal((await event({ ...real, body: real.body.replace('"paid"', '"paid" ') })).status, 400)
      assert.equal((await event({ ...real, signature: 't=1,v1=00' })).status, 400)
      assert.equal((await event(stripe.paid(checkout, { payment_status: 'unpaid' }))).status, 200)
      assert.equal((await event(stripe.paid(checkout, { amount_total: 1 }))).status, 200)
      assert.equal((await event(stripe.paid(checkout, { client_reference_id: 'pay_of_nobody' }))).status, 200)
      assert.equal((await event(stripe.paid(checkout, { client_reference_id: 'of another product' }))).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 0)
    })

    it('a payment that is not credited is logged as an error, counted in a metric, and listed for the operator', async () => {
      const visitor = await Visitor.enter(service, 'pays-otherwise@example.com', 'customer', 0)
      const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
      const checkout = await buy(visitor, 10_000)
      const isLogged = (line: string) => /not credited/.test(line) && line.includes(checkout.id)
      assert.ok(!service.log.some(isLogged))
      const counted = async () => {
        const metrics = await (await fetch(`${service.running.url}/metrics`)).text()
        return Number(/^vitrine_payments_not_credited_total (\d+)$/m.exec(metrics)?.[1])
      }
      const before = await counted()
      assert.equal((await event(stripe.paid(checkout, { currency: 'eur' }))).status, 200)
      const line = service.log.find(isLogged)
      assert.match(line ?? '', /"level":"error"/)
      assert.equal(await counted(), before + 1)
      const path = '/dashboard/api/audit?action=payment_not_credited&email=pays-otherwise@example.com'
      const { events } = await operator.read(auditListSchema, path)
      assert.deepEqual(
        events.map(({ outcome, target }) => [outcome, target]),
        [['failed', `${checkout.id} ${checkout.amount} eur`]],
      )
      assert.equal((await event(stripe.paid(checkout))).status, 200)
      assert.equal((await event(stripe.paid(checkout))).status, 200)
      const bought = await operator.read(
        auditListSchema,
        '/dashboard/api/audit?action=purchase&email=pays-otherwise@example.com',
      )
      assert.equal(bought.total, 1, 'a purchase is recorded once, however often its event arrives')
    })

    it('a refund takes back the remaining credits, once, and never more than can be spent', async () => {
      const visitor = await Visitor.enter(service, 'refunded@example.com', 'customer', 0)
      const checkout = await buy(visitor, 100)
      await event(stripe.paid(checkout))
      const accountId = await visitor.accountId()
      const { wallet } = service.running.services
      const reserved = await wallet.reserve({
        accountId,
        keyId: null,
        credits: 30,
        requestId: 'req_1',
        expiresAtMs: Date.now() + 60_000,
      })
      assert.ok(reserved.ok)
      await wallet.settle(reserved.reservationId)
      assert.equal((await event(stripe.refunded(checkout, 50))).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 20)
      for (let i = 0; i < 2; i++) assert.equal((await event(stripe.refunded(checkout, 100))).status, 200)
      const credits = await creditsOf(visitor)
      assert.equal(credits.spendable_credits, 0)
      assert.deepEqual(
        credits.movements.map(({ kind: what, credits: amount }) => [what, amount]),
        [
          ['reversal', -20],
          ['reversal', -50],
          ['mockup', -30],
          ['purchase', 100],
        ],
      )
      assert.deepEqual((await wallet.verifyLedger()).violations, [])
    })

    it('a refund that arrives before its payment is repeated, and takes everything back', async () => {
      const visitor = await Visitor.enter(service, 'early@example.com', 'customer', 0)
      const checkout = await buy(visitor, 100)
      assert.equal((await event(stripe.refunded(checkout, 100))).status, 409, 'Stripe repeats what is refused')
      await event(stripe.paid(checkout))
      assert.equal((await event(stripe.refunded(checkout, 100))).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 0)
    })

    it('a dispute takes back in addition to what was refunded before, once', async () => {
      const visitor = await Visitor.enter(service, 'disputes@example.com', 'customer', 0)
      const checkout = await buy(visitor, 1000)
      await event(stripe.paid(checkout))
      assert.equal((await event(stripe.refunded(checkout, 450))).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 500)
      const disputed = stripe.disputed(checkout, 450)
      for (let i = 0; i < 2; i++) assert.equal((await event(disputed)).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 0)
      assert.deepEqual((await service.running.services.wallet.verifyLedger()).violations, [])
    })

    it('a won dispute restores what it took, once; a lost one, and an inquiry, change nothing more', async () => {
      const visitor = await Visitor.enter(service, 'wins@example.com', 'customer', 0)
      const { wallet } = service.running.services
      const balance = async () => (await creditsOf(visitor)).spendable_credits
      const checkout = await buy(visitor, 1000)
      await event(stripe.paid(checkout))
      const reserved = await wallet.reserve({
        accountId: await visitor.accountId(),
        keyId: null,
        credits: 300,
        requestId: 'req_1',
        expiresAtMs: Date.now() + 60_000,
      })
      assert.ok(reserved.ok)
      await wallet.settle(reserved.reservationId)

      await event(stripe.disputed(checkout, 900, 'warning_needs_response'))
      assert.equal(await balance(), 700, 'an inquiry has taken nothing')
      await event(stripe.closed(checkout, 'warning_closed'))
      await event(stripe.disputed(checkout, 900))
      assert.equal(await balance(), 0)
      const won = stripe.closed(checkout, 'won')
      const answers = await Promise.all(Array.from({ length: 6 }, () => event(won)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(await balance(), 700, 'what was spent was never taken, so it is not restored')
      assert.deepEqual(
        (await creditsOf(visitor)).movements
          .slice(0, 2)
          .map(({ kind: what, credits, cause }) => [what, credits, cause]),
        [
          ['restoration', 700, 'dispute won'],
          ['reversal', -700, 'payment disputed'],
        ],
      )

      await event(stripe.disputed(checkout, 450))
      assert.equal(await balance(), 200)
      await event(stripe.closed(checkout, 'lost'))
      assert.equal(await balance(), 200)
      assert.deepEqual((await wallet.verifyLedger()).violations, [])
    })

    it('a dispute has the same result in whatever order its events arrive', async () => {
      const visitor = await Visitor.enter(service, 'order@example.com', 'customer', 0)
      const checkout = await buy(visitor, 1000)
      await event(stripe.paid(checkout))
      const created = stripe.disputed(checkout, 900)
      const won = stripe.closed(checkout, 'won')
      assert.equal((await event(won)).status, 200)
      assert.equal((await event(created)).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 1000, 'the older event arrives last')
      const small = stripe.refunded(checkout, 90)
      const large = stripe.refunded(checkout, 450)
      for (const told of [large, small, large, created]) assert.equal((await event(told)).status, 200)
      assert.equal((await creditsOf(visitor)).spendable_credits, 500)
      assert.deepEqual((await service.running.services.wallet.verifyLedger()).violations, [])
    })

    it('each movement is under exactly one filter: received, spent or returned', async () => {
      const visitor = await Visitor.enter(service, 'filters@example.com', 'customer', 60)
      const { wallet } = service.running.services
      const checkout = await buy(visitor, 1000)
      await event(stripe.paid(checkout))
      // More mockups than fit on a page, after the purchase.
      for (let i = 0; i < 55; i++) {
        const reserved = await wallet.reserve({
          accountId: await visitor.accountId(),
          keyId: null,
          credits: 1,
          requestId: `req_${i}`,
          expiresAtMs: Date.now() + 60_000,
        })
        assert.ok(reserved.ok)
        await wallet.settle(reserved.reservationId)
      }
      await event(stripe.disputed(checkout, 900))
      await event(stripe.closed(checkout, 'won'))
      const shown = async (show: string, after: string | null = null) => {
        const path = `/dashboard/api/credits?show=${show}${after === null ? '' : `&after=${after}`}`
        const { movements, next_after } = await visitor.read(creditsSchema, path)
        return { kinds: movements.map(({ kind: what }) => what), next_after }
      }
      assert.deepEqual(await shown('received'), { kinds: ['purchase', 'grant'], next_after: null })
      assert.deepEqual(await shown('returned'), { kinds: ['restoration', 'reversal'], next_after: null })
      const first = await shown('spent')
      assert.deepEqual([new Set(first.kinds), first.kinds.length], [new Set(['mockup']), 50])
      assert.deepEqual(await shown('spent', first.next_after), {
        kinds: Array.from({ length: 5 }, () => 'mockup'),
        next_after: null,
      })
      const listed = async (order: string) => {
        const path = `/dashboard/api/credits?order=${order}`
        const first = await visitor.read(creditsSchema, path)
        const second = await visitor.read(creditsSchema, `${path}&after=${first.next_after}`)
        return [...first.movements, ...second.movements]
      }
      const all = await listed('newest')
      assert.equal(all.length, 2 + 2 + 55)
      assert.deepEqual(await listed('oldest'), all.toReversed())
      for (const query of ['show=nothing', 'order=largest', 'after=ent_nobody'])
        assert.equal((await visitor.send(`/dashboard/api/credits?${query}`)).status, 400)
    })

    it('only the packs on sale exist', async () => {
      const visitor = await Visitor.enter(service, 'chooser@example.com')
      assert.deepEqual(
        (await creditsOf(visitor)).packs.map(pack => [pack.credits, pack.price_cents]),
        [
          [100, 100],
          [1000, 900],
          [5000, 4000],
          [10_000, 7000],
        ],
      )
      assert.equal((await visitor.send('/dashboard/api/credits/checkout', { json: { credits: 123 } })).status, 400)
    })
  })
