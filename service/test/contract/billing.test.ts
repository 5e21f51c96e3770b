import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usageStatistics } from '@vitrine/contract'
import { describeContract, errorOf, type TestService } from '../http/test-service.ts'

const usage = async (service: TestService, key: string, query = '') => {
  const answer = await service.send({ path: `/billing/usage${query}`, key })
  assert.equal(answer.status, 200, JSON.stringify(answer.json))
  return usageStatistics.parse(answer.json)
}
const today = () => new Date().toISOString().slice(0, 10)

describeContract('interface.md, "Balance" and "Usage"', use => {
  for (const [credits, dollars] of [
    [0, '0.00'],
    [5, '0.05'],
    [1234, '12.34'],
  ] as const)
    test(`${credits} credits are ${dollars} dollars`, async () => {
      const { key } = await use().customer(credits)
      const { json } = await use().send({ path: '/billing/balance', key })
      assert.deepEqual(json, { balance_cents: credits, balance_dollars: dollars, balance_credits: credits })
    })

  test('every authenticated request counts, 2xx as successful; credits are net of refunds', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const url = `${service.origin.url}/red.png`
    await service.send({ key })
    await service.send({ path: '/no-such-path', key })
    await service.generate(key, { template_id: 'one-frame', artwork_url: url, width: 8 })
    await service.generate(key, {
      template_ids: ['two-frames', 'one-frame', 'one-frame'],
      artwork_url: url,
      width: 8,
      response_format: 'json',
    })
    await service.generate(key, { template_id: 'one-frame', artwork_url: `${service.origin.url}/text`, width: 8 })
    await service.generate(key, { template_id: 'no-such-template', artwork_url: url })
    const { requests_by_day, ...rest } = await usage(service, key, '?period=1d')
    assert.deepEqual(rest, {
      period: '1d',
      total_requests: 6,
      successful_requests: 3,
      failed_requests: 3,
      credits_consumed: 4,
      credits_refunded: 1,
      top_templates: [
        { template_id: 'one-frame', count: 3 },
        { template_id: 'two-frames', count: 1 },
      ],
    })
    assert.equal(
      requests_by_day.reduce((sum, { count }) => sum + count, 0),
      6,
    )
  })

  test('statistics are the calling key’s; scope=account sums all keys', async () => {
    const service = use()
    const { key, accountId } = await service.customer()
    const second = await service.running.services.apiKeys.create({ accountId, name: 'second' })
    await service.send({ key })
    await service.send({ key: second.key })
    assert.equal((await usage(service, second.key)).total_requests, 1)
    assert.equal((await usage(service, second.key, '?scope=account')).total_requests, 3)
    assert.equal((await usage(service, second.key, '?scope=key')).total_requests, 3)
  })

  for (const [query, period, days] of [
    ['', '30d', 30],
    ['?period=1d', '1d', 1],
    ['?period=7d', '7d', 7],
    ['?period=365d', '365d', 365],
  ] as const)
    test(`usage${query} has ${days} UTC days, ascending, today last`, async () => {
      const { key } = await use().customer()
      const dayBefore = today()
      const statistics = await usage(use(), key, query)
      assert.equal(statistics.period, period)
      const dates = statistics.requests_by_day.map(({ date }) => date)
      assert.equal(dates.length, days)
      assert.deepEqual(dates, [...dates].sort())
      assert([dayBefore, today()].includes(dates.at(-1) ?? ''))
    })

  for (const query of [
    'period=0d',
    'period=366d',
    'period=30',
    'period=d',
    'period=-1d',
    'period=01d',
    'period=1w',
    'period=',
    'scope=all',
    'period=1d&period=2d',
  ])
    test(`usage?${query} is 400 INVALID_PARAMETER`, async () => {
      const { key } = await use().customer()
      const answer = await use().send({ path: `/billing/usage?${query}`, key })
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_PARAMETER'])
    })
})
