import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { s3Settings, startS3, type TestS3 } from '../servers/s3.ts'
import { errorOf, TestService } from './test-service.ts'

let s3: TestS3
let service: TestService
before(async () => {
  s3 = await startS3()
  service = await TestService.start('sqlite', {
    environment: s3Settings(s3),
  })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await s3.stop()
})
afterEach(() => {
  s3.fault = null
})

const order = () => ({ template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 100 })

test('a template whose local files were damaged is fetched again, without affecting the request', async () => {
  const { key } = await service.customer(2)
  const record = await service.running.services.templates.get('one-frame')
  assert.ok(record)
  const { folder } = await service.running.services.templates.localBundle(record)
  for (const file of record.files) await writeFile(path.join(folder, file), '')
  for (const left of [1, 0]) {
    const answer = await service.generate(key, order())
    assert.equal(answer.status, 200, answer.bytes.toString())
    assert.equal(await service.balance(key), left)
  }
})

for (const fault of ['hangs', 'slow-down', 'breaks-off'] as const) {
  test(`while S3 ${fault}: 503 with Retry-After for what needs it, without a charge, and everything else works; afterwards all is well`, async () => {
    const { key } = await service.customer(3)
    const kept = { 'Idempotency-Key': `kept-${fault}` }
    const original = await service.generate(key, order(), kept)
    assert.equal(original.status, 200, original.bytes.toString())
    const { json } = await service.send({ key })
    const thumbnail = /"thumbnail_url":"([^"]+)"/.exec(JSON.stringify(json))?.[1] ?? ''
    assert.equal((await fetch(thumbnail)).status, 200)

    s3.fault = fault
    assert.equal((await service.generate(key, order())).status, 200, 'without a key nothing is stored')
    const [replay, stored, picture] = await Promise.all([
      service.generate(key, order(), kept).catch(() => null),
      service.generate(key, order(), { 'Idempotency-Key': `stored-${fault}` }),
      fetch(thumbnail).catch(() => null),
    ])
    assert.equal(stored.status, 503, stored.bytes.toString())
    assert.equal(errorOf(stored).code, 'SERVER_BUSY')
    assert.ok(Number(stored.headers.get('retry-after')) >= 1)
    // Half of a body may have been sent: then the connection breaks.
    if (fault !== 'breaks-off') assert.deepEqual([replay?.status, picture?.status], [503, 503])
    assert.equal(await service.balance(key), 1)

    s3.fault = null
    const again = await service.generate(key, order(), kept)
    assert.deepEqual([again.status, again.bytes], [200, original.bytes])
    assert.equal((await service.generate(key, order(), { 'Idempotency-Key': `stored-${fault}` })).status, 200)
    assert.equal(await service.balance(key), 0)
  })
}
