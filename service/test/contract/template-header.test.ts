import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOnOneDatabase, errorOf } from '../http/test-service.ts'

describeOnOneDatabase('X-Vitrine-Template', use => {
  const one = () => ({ template_id: 'one-frame', artwork_url: `${use().origin.url}/red.png`, width: 16 })
  const batch = () => ({
    template_ids: ['one-frame', 'two-frames'],
    artwork_url: `${use().origin.url}/red.png`,
    width: 16,
    response_format: 'json',
  })

  test('with the body’s template it has no effect, not even on an Idempotency-Key', async () => {
    const { key } = await use().customer(5)
    const plain = await use().generate(key, one(), { 'Idempotency-Key': 'routed' })
    const routed = await use().generate(key, one(), { 'Idempotency-Key': 'routed', 'X-Vitrine-Template': 'one-frame' })
    assert.deepEqual([plain.status, routed.status, routed.headers.get('Idempotency-Replayed')], [200, 200, 'true'])
    assert.deepEqual(routed.bytes, plain.bytes)
  })

  test('any template of a batch is accepted', async () => {
    const { key } = await use().customer(5)
    for (const template of ['one-frame', 'two-frames'])
      assert.equal((await use().generate(key, batch(), { 'X-Vitrine-Template': template })).status, 200)
  })

  test('another template than in the body is an error that names both, and costs nothing', async () => {
    const { key } = await use().customer(5)
    const cases = [
      [one(), 'another', '"one-frame", as in the body'],
      [batch(), 'another', 'one of "one-frame", "two-frames", as in the body'],
      [one(), 'ONE-FRAME', '"one-frame", as in the body'],
      [one(), '', '"one-frame", as in the body'],
    ] as const
    for (const [body, named, allowed] of cases) {
      const answer = await use().generate(key, body, { 'X-Vitrine-Template': named })
      const error = errorOf(answer)
      assert.deepEqual([answer.status, error.code], [400, 'INVALID_PARAMETER'])
      assert.equal(error.error, `Expected ${allowed} for X-Vitrine-Template but received ${JSON.stringify(named)}.`)
      assert.deepEqual(error.details, { parameter: 'X-Vitrine-Template', received: named, allowed })
    }
    assert.equal(await use().balance(key), 5)
  })
})
