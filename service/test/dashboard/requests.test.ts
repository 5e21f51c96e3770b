import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  createdKeySchema,
  creditsSchema,
  dashboardAccountSchema,
  dashboardUsageSchema,
  keyListSchema,
  type RequestList,
  requestListSchema,
} from '@vitrine/contract'
import { TestService } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

describe('The request log in the dashboard', () => {
  let service: TestService
  before(async () => {
    service = await TestService.start('sqlite')
  })
  after(() => service[Symbol.asyncDispose]())

  const read = (visitor: Visitor, filters: Record<string, string> = {}): Promise<RequestList> =>
    visitor.read(requestListSchema, `/dashboard/api/requests?${new URLSearchParams(filters).toString()}`)
  /** Requests are logged when their answer has been sent, which may be after it was received. */
  const readUntil = async (visitor: Visitor, count: number): Promise<RequestList['requests']> => {
    for (;;) {
      const { requests } = await read(visitor)
      if (requests.length >= count) return requests
    }
  }

  it('shows only to their sender what was requested, answered and charged, and why it failed', async () => {
    const [ours, theirs] = [
      await Visitor.enter(service, 'ours@example.com'),
      await Visitor.enter(service, 'b@b.example'),
    ]
    const { key } = await ours.read(createdKeySchema, '/dashboard/api/keys', { name: 'Production' })
    const artwork_url = `${service.origin.url}/red.png`
    const made = await service.generate(key, { template_id: 'one-frame', artwork_url, width: 20 })
    assert.equal(made.status, 200)
    const refused = await service.generate(key, { template_id: 'no-such', artwork_url, width: 20 })
    assert.equal(refused.status, 404)
    await service.generate(key, { template_id: 'one-frame', artwork_url: `${service.origin.url}/gone.png`, width: 20 })

    const requests = await readUntil(ours, 3)
    const [failed, unknown, mockup] = requests
    assert.equal(mockup?.id, made.headers.get('x-request-id'))
    assert.deepEqual(
      [mockup?.endpoint, mockup?.status, mockup?.template_ids, mockup?.key_name, mockup?.credits, mockup?.code],
      ['POST /api/v1/mockups/generate', 200, ['one-frame'], 'Production', 1, null],
    )
    assert.deepEqual([unknown?.status, unknown?.code, unknown?.credits], [404, 'TEMPLATE_NOT_FOUND', 0])
    assert.equal(unknown?.reason, 'There is no such template.')
    assert.notEqual(failed?.hint ?? failed?.reason, null)
    assert.ok((mockup?.duration_ms ?? 0) > 0)
    assert.deepEqual((await read(theirs)).requests, [])
    assert.deepEqual((await read(theirs, { id: mockup?.id ?? '' })).requests, [])
    assert.deepEqual((await read(ours, { id: mockup?.id ?? '' })).requests, [mockup])
    assert.deepEqual((await read(ours, { code: 'TEMPLATE_NOT_FOUND' })).requests, [unknown])
    assert.deepEqual((await read(ours, { key: 'dashboard' })).requests, [])
  })

  it('lists only a period, and only for operators the requests of all accounts, with their owners', async () => {
    const [customer, operator] = [
      await Visitor.enter(service, 'one-of-all@example.com'),
      await Visitor.enter(service, 'operator-of-all@example.com', 'owner'),
    ]
    const accountId = await customer.accountId()
    const { requestLog } = service.running.services
    const hour = 3_600_000
    for (const [requestId, ageHours] of [
      ['req_new', 0.1],
      ['req_day', 5],
      ['req_week', 100],
      ['req_month', 400],
    ] as const)
      requestLog.record({
        accountId,
        keyId: null,
        requestId,
        endpoint: 'GET /api/v1/templates',
        templateIds: [],
        atMs: Date.now() - ageHours * hour,
        status: 200,
        code: null,
        reason: null,
        durationMs: 1,
        credits: 1,
        isReplayed: false,
      })
    const idsOf = async (filters: Record<string, string>) =>
      (await read(customer, filters)).requests.map(({ id }) => id)
    assert.deepEqual(await idsOf({ period: '1h' }), ['req_new'])
    assert.deepEqual(await idsOf({ period: '24h' }), ['req_new', 'req_day'])
    assert.deepEqual(await idsOf({ period: '7d' }), ['req_new', 'req_day', 'req_week'])
    assert.deepEqual(await idsOf({ period: '30d' }), await idsOf({}))
    assert.equal((await customer.send('/dashboard/api/requests?period=2h')).status, 400)
    const everybodys = (await read(operator, { accounts: 'all' })).requests
    assert.ok(new Set(everybodys.map(({ account }) => account?.id)).size > 1)
    const found = everybodys.find(({ id }) => id === 'req_day')
    assert.deepEqual(found?.account, { id: accountId, email: 'one-of-all@example.com' })
    assert.deepEqual((await read(operator, { accounts: 'all', id: 'req_week', period: '24h' })).requests, [])
    assert.equal((await customer.send('/dashboard/api/requests?accounts=all')).status, 403)
  })

  it('refuses an unknown cursor, and finds nothing for texts with a zero byte', async () => {
    const visitor = await Visitor.enter(service, 'odd@example.com')
    assert.equal((await visitor.send('/dashboard/api/requests?after=yesterday')).status, 400)
    assert.equal((await visitor.send('/dashboard/api/requests?outcome=odd')).status, 400)
    assert.deepEqual((await read(visitor, { template: '\0', code: '\0', id: '\0', key: '\0' })).requests, [])
  })

  it('is open to operators for each account, with its usage, keys, movements and pace', async () => {
    const [customer, operator] = [
      await Visitor.enter(service, 'seen@example.com', 'customer', 90),
      await Visitor.enter(service, 'owner@example.com', 'owner'),
    ]
    const { key } = await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Shop' })
    const artwork_url = `${service.origin.url}/red.png`
    for (let i = 0; i < 3; i++) {
      const made = await service.generate(key, { template_id: 'one-frame', artwork_url, width: 20 })
      assert.equal(made.status, 200)
    }
    const logged = await readUntil(customer, 3)
    const path = `/dashboard/api/accounts/${await customer.accountId()}`
    const detail = await operator.read(dashboardAccountSchema, path)
    assert.deepEqual(
      [detail.email, detail.spendable_credits, detail.mockups_30d, detail.credits_30d, detail.key_count],
      ['seen@example.com', 87, 3, 3, 1],
    )
    // 87 credits at 3 per 30 days.
    assert.deepEqual([detail.runs_out_in_days, detail.last_active_at], [870, logged[0]?.at])
    assert.deepEqual((await operator.read(requestListSchema, `${path}/requests`)).requests, logged)
    const { keys } = await operator.read(keyListSchema, `${path}/keys`)
    assert.deepEqual(
      keys.map(({ name, request_count }) => [name, request_count]),
      [['Shop', 3]],
    )
    const { movements } = await operator.read(creditsSchema, `${path}/credits`)
    assert.deepEqual(
      movements.map(({ credits }) => credits),
      [-1, -1, -1, 90],
    )
    assert.equal((await operator.read(dashboardUsageSchema, `${path}/usage?days=7`)).totals.mockups, 3)
    const csv = await (await operator.send(`${path}/usage.csv?days=1`)).text()
    assert.match(csv, /,3,3,0,3,3\r\n$/)
    const idle = await Visitor.enter(service, 'idle@example.com')
    const idleDetail = await operator.read(dashboardAccountSchema, `/dashboard/api/accounts/${await idle.accountId()}`)
    assert.deepEqual([idleDetail.runs_out_in_days, idleDetail.last_active_at], [null, null])
  })
})
