import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createdKeySchema, type RequestList, requestListSchema } from '@vitrine/contract'
import { TestService } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

describe('The log of requests in the dashboard', () => {
  let service: TestService
  before(async () => {
    service = await TestService.start('sqlite')
  })
  after(() => service[Symbol.asyncDispose]())

  const read = (visitor: Visitor, filters: Record<string, string> = {}): Promise<RequestList> =>
    visitor.read(requestListSchema, `/dashboard/api/requests?${new URLSearchParams(filters).toString()}`)
  /** Requests are logged once their answer has left, which may be after it was received. */
  const readUntil = async (visitor: Visitor, count: number): Promise<RequestList['requests']> => {
    for (;;) {
      const { requests } = await read(visitor)
      if (requests.length >= count) return requests
    }
  }

  it('says to their sender, and to nobody else, what was asked, answered and charged, and why it failed', async () => {
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

  it('refuses a place that it never named, and finds nothing for texts with a zero byte', async () => {
    const visitor = await Visitor.enter(service, 'odd@example.com')
    assert.equal((await visitor.send('/dashboard/api/requests?after=yesterday')).status, 400)
    assert.equal((await visitor.send('/dashboard/api/requests?outcome=odd')).status, 400)
    assert.deepEqual((await read(visitor, { template: '\0', code: '\0', id: '\0', key: '\0' })).requests, [])
  })
})
