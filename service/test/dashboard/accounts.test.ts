import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type AccountList,
  type AccountOrder,
  accountListSchema,
  accountOrderSchema,
  createdKeySchema,
  creditsSchema,
  dashboardAccountSchema,
} from '@vitrine/contract'
import { DAY_MS, utcDay } from '../../src/usage/utc-day.ts'
import { describeContract, type TestService } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

const DAYS_BEFORE = 40

/** An account's activity as counted by the service: mockups of one credit, by how many days ago. */
async function countMockups(service: TestService, accountId: string, mockups: Readonly<Record<number, number>>) {
  const { database } = service.running.services
  const keyId = `key_of_${accountId}`
  const nowMs = Date.now()
  const days = Object.entries(mockups).map(([daysAgo, count]) => ({
    account_id: accountId,
    key_id: keyId,
    day: utcDay(nowMs - Number(daysAgo) * DAY_MS),
    count,
  }))
  const latestMs = nowMs - Math.min(...Object.keys(mockups).map(Number)) * DAY_MS
  const key = { account_id: accountId, name: 'Shop', display: 'vt_0000', revoked_at_ms: null }
  await database.transaction(async transaction => {
    await transaction
      .insertInto('api_keys')
      .values({ ...key, id: keyId, key_hash: keyId, created_at_ms: nowMs, last_used_at_ms: latestMs })
      .execute()
    await transaction
      .insertInto('usage_templates')
      .values(days.map(day => ({ ...day, template_id: 'one-frame' })))
      .execute()
    await transaction
      .insertInto('credit_days')
      .values(days.map(({ count, ...day }) => ({ ...day, consumed: count, refunded: 0 })))
      .execute()
    const consumed = days.reduce((sum, { count }) => sum + count, 0)
    await transaction
      .updateTable('wallets')
      .set(({ eb }) => ({ consumed, granted: eb('granted', '+', consumed) }))
      .where('account_id', '=', accountId)
      .execute()
  })
}

// Services of its own: credits are counted here without entries in the ledger, which other files verify.
describeContract(
  'The operator’s list of accounts',
  use => {
    it('shows each account’s activity, in any order, on pages and as a file', async () => {
      const service = use()
      const { accounts } = service.running.services
      const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
      const make = async (name: string, credits: number) =>
        (await accounts.create({ email: `${name}@list.example`, credits })).accountId
      const [steady, ending, former] = [await make('steady', 600), await make('ending', 10), await make('former', 5)]
      await make('idle', 7)
      // Older versions accepted such addresses.
      const address = '=ending@list.example'
      const { database } = service.running.services
      await database.queries
        .updateTable('accounts')
        .set({ email: address, email_key: address })
        .where('id', '=', ending)
        .execute()
      await countMockups(service, steady, { 1: 20, 29: 40, [DAYS_BEFORE]: 1000 })
      await countMockups(service, ending, { 0: 15, 30: 8 })
      await countMockups(service, former, { [DAYS_BEFORE]: 100 })

      const list = (order: AccountOrder, more = ''): Promise<AccountList> =>
        operator.read(accountListSchema, `/dashboard/api/accounts?search=list.example&order=${order}${more}`)
      const names = async (order: AccountOrder) =>
        (await list(order)).accounts.map(({ email }) => email.replace('@list.example', ''))
      const { accounts: found, total } = await list('oldest')
      assert.equal(total, 4)
      const day = (moment: string | null) => moment?.slice(0, 10) ?? null
      assert.deepEqual(
        found.map(each => [
          each.spendable_credits,
          each.mockups_30d,
          each.credits_30d,
          each.runs_out_in_days,
          day(each.last_active_at),
          each.key_count,
        ]),
        [
          [600, 60, 60, 300, utcDay(Date.now() - DAY_MS), 1],
          [10, 15, 15, 20, utcDay(Date.now()), 1],
          [5, 0, 0, null, utcDay(Date.now() - DAYS_BEFORE * DAY_MS), 1],
          [7, 0, 0, null, null, 0],
        ],
      )
      assert.deepEqual(await operator.read(dashboardAccountSchema, `/dashboard/api/accounts/${ending}`), found[1])
      assert.deepEqual(await names('newest'), ['idle', 'former', '=ending', 'steady'])
      assert.deepEqual(await names('email'), ['=ending', 'former', 'idle', 'steady'])
      assert.deepEqual(await names('credits'), ['steady', '=ending', 'idle', 'former'])
      assert.deepEqual(await names('active'), ['=ending', 'steady', 'former', 'idle'])
      assert.deepEqual(await names('mockups'), ['steady', '=ending', 'former', 'idle'])
      assert.deepEqual(await names('runs-out'), ['=ending', 'steady', 'former', 'idle'])
      assert.deepEqual(await list('mockups', '&page=2'), { accounts: [], total: 4, page: 2, total_pages: 1 })

      for (const order of accountOrderSchema.options) {
        const ordered = await operator.send(`/dashboard/api/accounts.csv?search=list.example&order=${order}`)
        const [, ...lines] = (await ordered.text()).trimEnd().split('\r\n')
        const written = lines.map(line => line.split(',')[1]?.replace(/^'/, '').replace('@list.example', ''))
        assert.deepEqual(written, await names(order), `the file has the order of the pages: ${order}`)
      }
      const file = await operator.send('/dashboard/api/accounts.csv?search=list.example&order=runs-out')
      assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(file.headers.get('content-disposition'), 'attachment; filename="vitrine-accounts.csv"')
      const [head, first] = (await file.text()).split('\r\n')
      assert.equal(
        head,
        'id,email,since,status,active_keys,credits,mockups_30d,credits_30d,last_active,runs_out_in_days',
      )
      const [, second] = found
      assert.equal(
        first,
        `${ending},'=ending@list.example,${second?.created_at},active,1,10,15,15,${second?.last_active_at},20`,
      )
    })

    it('reads more accounts than fit into one statement, each once, in every order', async () => {
      const service = use()
      const { accounts, database } = service.running.services
      const operator = await Visitor.enter(service, 'owner@example.com', 'owner')
      const nowMs = Date.now()
      const many = Array.from({ length: 1_201 }, (_, i) => ({ id: `acc_many${i}`, email: `many-${i}@many.example` }))
      await database.transaction(async transaction => {
        await transaction
          .insertInto('accounts')
          .values(
            many.map(each => ({ ...each, email_key: each.email, role: 'customer' as const, created_at_ms: nowMs })),
          )
          .execute()
        await transaction
          .insertInto('wallets')
          .values(
            many.map(({ id }) => ({
              account_id: id,
              granted: 0,
              purchased: 0,
              spendable: 0,
              reserved: 0,
              consumed: 0,
            })),
          )
          .execute()
      })
      await countMockups(service, 'acc_many700', { 0: 3 })
      const path = '/dashboard/api/accounts?search=many.example&order=mockups'
      const first = await operator.read(accountListSchema, path)
      assert.deepEqual([first.accounts[0]?.id, first.total, first.total_pages], ['acc_many700', 1_201, 25])
      const ids = new Set(first.accounts.map(({ id }) => id))
      for (let page = 2; page <= first.total_pages; page++)
        for (const { id } of (await operator.read(accountListSchema, `${path}&page=${page}`)).accounts) ids.add(id)
      assert.equal(ids.size, 1_201)
      const file = await operator.send('/dashboard/api/accounts.csv?search=many.example')
      assert.equal(new Set((await file.text()).trimEnd().split('\r\n')).size, 1_202)
      assert.ok((await accounts.list()).total > 1_201, 'the others are not in it')
    })
  },
  {},
)

describeContract('Movements', use => {
  it('name the templates of mockups, as long as their requests are in the log', async () => {
    const service = use()
    const customer = await Visitor.enter(service, 'mover@example.com')
    const { key } = await customer.read(createdKeySchema, '/dashboard/api/keys', { name: 'Shop' })
    const artwork_url = `${service.origin.url}/red.png`
    const one = await service.generate(key, { template_id: 'one-frame', artwork_url, width: 20 })
    const both = await service.generate(key, {
      template_ids: ['two-frames', 'one-frame'],
      artwork_url,
      width: 20,
      response_format: 'json',
    })
    assert.deepEqual([one.status, both.status], [200, 200])
    const read = async () => (await customer.read(creditsSchema, '/dashboard/api/credits')).movements
    const named = async () => (await read()).flatMap(({ templates }) => templates)
    // Requests are logged when their answer has been sent, which may be after it was received.
    while ((await named()).length < 3);
    const movements = await read()
    const oneFrame = { id: 'one-frame', name: 'Test one-frame' }
    assert.deepEqual(
      movements.map(({ kind, credits, templates }) => [kind, credits, templates]),
      [
        ['mockup', -2, [{ id: 'two-frames', name: 'Test two-frames' }, oneFrame]],
        ['mockup', -1, [oneFrame]],
        ['grant', 100, []],
      ],
    )
    const { requestLog } = service.running.services
    await requestLog.forgetAccount(await customer.accountId())
    assert.deepEqual(await named(), [])
  })
})
