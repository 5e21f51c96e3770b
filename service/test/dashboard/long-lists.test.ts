import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { givenAnswerListSchema, proofListSchema } from '@vitrine/contract'
import { TestService } from '../http/test-service.ts'
import { FakeStripe, WEBHOOK_SECRET } from './fake-stripe.ts'
import { makeLongTables } from './long-tables.ts'
import { makeOneOfEach } from './one-of-each.ts'
import { addressOf, routes } from './routes.ts'
import { Visitor } from './visitor.ts'

/** Rows per table. */
const ROWS = 5_000

const ANSWER_BYTES_MAX = 1024 * 1024

describe('Every list of the dashboard', () => {
  let service: TestService
  let stripe: FakeStripe
  let owner: Visitor
  let values: Readonly<Record<string, string>>
  before(async () => {
    stripe = await FakeStripe.start()
    service = await TestService.start('sqlite', {
      environment: { STRIPE_SECRET_KEY: 'sk_test_of_vitrine', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
      stripeApi: stripe.api,
    })
    owner = await Visitor.enter(service, 'has-much@example.com', 'owner')
    const accountId = await owner.accountId()
    values = { ...(await makeOneOfEach(service, owner)), accountId }
    await makeLongTables(service.dataDir, accountId, ROWS)
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  })

  it('answers with at most a MiB, however many items there are', async () => {
    const all = [...routes.account, ...routes.thing, ...routes.operator]
    for (const route of all.filter(each => each.startsWith('GET') && !each.endsWith('.csv'))) {
      const answer = await owner.send(addressOf(route, values).path)
      const { byteLength } = await answer.arrayBuffer()
      assert.ok([200, 404].includes(answer.status), `${route} answered ${answer.status}`)
      assert.ok(byteLength <= ANSWER_BYTES_MAX, `${route} answered ${byteLength} bytes`)
      if (!route.includes('/:')) assert.equal(answer.status, 200, route)
    }
  })

  it('continues page after page', async () => {
    const lists = [
      ['/dashboard/api/proofs', proofListSchema.transform(({ proofs, next_after }) => ({ items: proofs, next_after }))],
      [
        `/dashboard/api/proofs/${values['proofId']}/answers`,
        givenAnswerListSchema.transform(({ answers, next_after }) => ({ items: answers, next_after })),
      ],
    ] as const
    for (const [path, schema] of lists) {
      const seen = new Set<string>()
      let query = ''
      // Enough to see that each page continues where the previous one ended.
      for (let page = 0; page < 10; page++) {
        const { items, next_after } = await owner.read(schema, path + query)
        assert.ok(items.length > 0, path)
        for (const { id } of items) {
          assert.ok(!seen.has(id), `${path} shows ${id} once`)
          seen.add(id)
        }
        assert.notEqual(next_after, null, path)
        query = `?after=${next_after}`
      }
    }
  })
})
