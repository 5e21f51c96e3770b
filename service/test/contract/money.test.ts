import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { usageStatistics } from '@vitrine/contract'
import { describeContract, errorOf } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

describeContract('interface.md, "Money"', use => {
  test('a batch of N costs N, a multi-frame template 1', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const url = `${service.origin.url}/red.png`
    await service.generate(key, {
      template_ids: ['one-frame', 'one-frame', 'two-frames'],
      artwork_url: url,
      width: 16,
      response_format: 'json',
    })
    assert.equal(await service.balance(key), 7)
  })

  test('too few credits are 402 before anything is fetched', async () => {
    const service = use()
    const { key } = await service.customer(1)
    const asked = service.origin.asked.length
    const answer = await service.generate(key, {
      template_ids: ['one-frame', 'one-frame'],
      artwork_url: `${service.origin.url}/red.png`,
      response_format: 'json',
    })
    assert.deepEqual([answer.status, errorOf(answer).code], [402, 'INSUFFICIENT_CREDITS'])
    assert.deepEqual(errorOf(answer).details, { required_cents: 2, balance_cents: 1 })
    assert.equal(typeof errorOf(answer).hint, 'string')
    assert.equal(service.origin.asked.length, asked)
    assert.equal(await service.balance(key), 1)
  })

  test('a batch of which one fails costs nothing', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const { url } = service.origin
    const answer = await service.generate(key, {
      template_ids: ['one-frame', 'two-frames'],
      artwork_urls: { 0: `${url}/red.png`, 1: `${url}/text` },
      width: 16,
      response_format: 'json',
    })
    assert.equal(answer.status, 400)
    assert.equal(await service.balance(key), 10)
  })

  test('20 concurrent requests with 5 credits: 5 are paid, 15 are 402', async () => {
    const service = use()
    const { key } = await service.customer(5)
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 8 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.generate(key, body)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 5)
    assert.equal(answers.filter(({ status }) => status === 402).length, 15)
    assert.equal(await service.balance(key), 0)
  })

  test('a client that leaves before its answer begins pays nothing', async () => {
    const service = use()
    const { key } = await service.customer(3)
    const body = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/stall` })
    const { hostname, port } = new URL(service.running.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const asked = service.origin.asked.length
    socket.write(
      `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    while (service.origin.asked.length === asked) await delay(10)
    assert.equal(await service.balance(key), 2)
    socket.destroy()
    while ((await service.balance(key)) !== 3) await delay(20)
  })

  test('the same key and request again: the same bytes, without a charge or a download', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const url = `${service.origin.url}/red.png?${Math.random()}`
    for (const [name, body] of [
      ['binary', { template_id: 'one-frame', artwork_url: url, width: 24 }],
      ['json', { template_id: 'one-frame', artwork_url: url, width: 24, response_format: 'json' }],
      ['batch', { template_ids: ['one-frame', 'two-frames'], artwork_url: url, width: 24, response_format: 'json' }],
    ] as const) {
      const headers = { 'Idempotency-Key': `order-${name}` }
      const first = await service.generate(key, body, headers)
      assert.equal(first.status, 200)
      const balance = await service.balance(key)
      const asked = service.origin.asked.length
      const again = await service.generate(key, body, headers)
      assert.equal(again.status, 200)
      assert.deepEqual(again.bytes, first.bytes)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(first.headers.get('idempotency-replayed'), null)
      assert.equal(again.headers.get('x-credits-used'), '0')
      assert.equal(again.headers.get('x-credits-remaining'), String(balance))
      for (const header of ['content-type', 'content-length', 'x-template-id', 'x-duration-ms'])
        assert.equal(again.headers.get(header), first.headers.get(header))
      assert.equal(service.origin.asked.length, asked)
      assert.equal(await service.balance(key), balance)
    }
  })

  test('the same key with another request is 422, but is free in another account', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const other = await service.customer(10)
    const headers = { 'Idempotency-Key': 'order-2' }
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 24 }
    assert.equal((await service.generate(key, body, headers)).status, 200)
    const mismatch = await service.generate(key, { ...body, width: 25 }, headers)
    assert.deepEqual([mismatch.status, errorOf(mismatch).code], [422, 'IDEMPOTENCY_MISMATCH'])
    assert.equal((await service.generate(other.key, { ...body, width: 25 }, headers)).status, 200)
  })

  test('an equivalent request, spelled differently or with another key of the account, is replayed', async () => {
    const service = use()
    const { key, accountId } = await service.customer(10)
    const second = await service.running.services.apiKeys.create({ accountId, name: 'second' })
    const headers = { 'Idempotency-Key': 'x'.repeat(255) }
    const url = `${service.origin.url}/red.png`
    const first = await service.generate(key, { template_id: 'one-frame', artwork_url: url, width: 24 }, headers)
    assert.equal(first.status, 200)
    const spelled = { width: 24, quality: 85, format: 'jpeg', unknown: 1, artwork_url: url, template_id: 'one-frame' }
    const again = await service.generate(second.key, spelled, headers)
    assert.deepEqual([again.headers.get('idempotency-replayed'), again.bytes], ['true', first.bytes])
    const { json } = await service.send({ path: '/billing/usage?period=1d', key: second.key })
    const { successful_requests, credits_consumed, top_templates } = usageStatistics.parse(json)
    assert.deepEqual(
      [successful_requests, credits_consumed, top_templates],
      [1, 0, []],
      'a replay counts as a request, not as a mockup',
    )
  })

  test('uploads are compared by their bytes, whatever their names', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const upload = async (color: readonly [number, number, number], fileName: string) => {
      const form = new FormData()
      form.set('template_id', 'one-frame')
      form.set('width', '24')
      form.set('artwork', new Blob([new Uint8Array(await plainPicture(30, 30, color))]), fileName)
      return service.generate(key, form, { 'Idempotency-Key': 'upload' })
    }
    const first = await upload([255, 0, 0], 'a.png')
    const again = await upload([255, 0, 0], 'b.jpg')
    assert.deepEqual([again.headers.get('idempotency-replayed'), again.bytes], ['true', first.bytes])
    assert.equal(errorOf(await upload([0, 255, 0], 'a.png')).code, 'IDEMPOTENCY_MISMATCH')
    assert.equal(await service.balance(key), 9)
  })

  test('10 concurrent requests with one key are charged once', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 24 }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.generate(key, body, { 'Idempotency-Key': 'order-3' })),
    )
    for (const { status } of answers) assert(status === 200 || status === 409)
    assert(answers.some(({ status }) => status === 200))
    assert.equal(await service.balance(key), 9)
  })

  test('a failed attempt frees the key', async () => {
    const service = use()
    const { key } = await service.customer(10)
    const headers = { 'Idempotency-Key': 'order-4' }
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/status/500`, width: 24 }
    assert.equal((await service.generate(key, body, headers)).status, 400)
    const retried = await service.generate(key, { ...body, artwork_url: `${service.origin.url}/red.png` }, headers)
    assert.equal(retried.status, 200)
  })

  for (const [row, value] of [
    ['blanks', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['nothing', ''],
    ['letters beyond ASCII', 'caf\u00e9'],
  ] as const)
    test(`an Idempotency-Key of ${row} is 400`, async () => {
      const service = use()
      const { key } = await service.customer(10)
      const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png` }
      const answer = await service.generate(key, body, { 'Idempotency-Key': value })
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_PARAMETER'])
    })

  test('the ledger is consistent after all tests', async () => {
    const service = use()
    const { violations } = await service.running.services.wallet.verifyLedger()
    assert.deepEqual(violations, [])
  })
})
