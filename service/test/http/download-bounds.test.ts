import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorOf, TestService } from './test-service.ts'

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', { environment: { ARTWORK_ALLOWED_PORTS: '80, 443' } })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

const asking = (artworkUrl: string) => ({ template_id: 'one-frame', artwork_url: artworkUrl, width: 8 })

test('after 200 MiB downloaded for failed requests: 503 with Retry-After for further URLs of this account only', async () => {
  const { url } = service.origin
  const wasteful = await service.customer(5)
  const modest = await service.customer(5)
  assert.equal((await service.generate(wasteful.key, asking(`${url}/red.png`))).status, 200)
  let failed = 0
  let answer = await service.generate(wasteful.key, asking(`${url}/heavy`))
  for (; answer.status === 400; answer = await service.generate(wasteful.key, asking(`${url}/heavy`))) {
    assert.equal(errorOf(answer).code, 'INVALID_ARTWORK')
    failed += 1
  }
  // 19 MiB each: ten reach 190 MiB, and the eleventh exceeds the limit.
  assert.equal(failed, 11)
  assert.deepEqual([answer.status, errorOf(answer).code], [503, 'SERVER_BUSY'])
  assert(Number(answer.headers.get('retry-after')) >= 1)
  const asked = service.origin.asked.length
  assert.equal((await service.generate(wasteful.key, asking(`${url}/red.png`))).status, 503)
  assert.equal(service.origin.asked.length, asked, 'it was downloaded')
  assert.equal(await service.balance(wasteful.key), 4)

  const upload = new FormData()
  upload.set('template_id', 'one-frame')
  upload.set('width', '8')
  upload.set('artwork', new Blob([new Uint8Array(await (await fetch(`${url}/red.png`)).arrayBuffer())]))
  assert.equal((await service.generate(wasteful.key, upload)).status, 200)
  assert.equal((await service.generate(modest.key, asking(`${url}/red.png`))).status, 200)
})

test('a port that the operator does not allow is 400 ARTWORK_URL_FORBIDDEN, listing the allowed ones', async () => {
  const { key } = await service.customer(1)
  const answer = await service.generate(key, asking('http://192.0.32.8:8080/'))
  assert.deepEqual([answer.status, errorOf(answer).code], [400, 'ARTWORK_URL_FORBIDDEN'])
  assert.equal(errorOf(answer).error, 'Expected an artwork URL with port 80 or 443 but received one with port 8080.')
  assert.equal(await service.balance(key), 1)
})
