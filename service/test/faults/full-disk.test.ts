import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isDiskFull } from '../../src/errors/disk-full-error.ts'
import { operationalRetryS } from '../../src/http/error-mapping.ts'
import { LEAST_FREE_BYTES } from '../../src/templates/limits.ts'
import { Visitor } from '../dashboard/visitor.ts'
import { sendBody } from '../http/body-client.ts'
import { collectBodyRoutes } from '../http/body-routes.ts'
import { assertNothingLeft, enterShop, octetTargets } from '../http/octet-targets.ts'
import { errorOf, TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from '../servers/small-disk.ts'

const MIB = 1024 * 1024
const ROOM_BYTES = 2048 * MIB
const skip = whyNoSmallDisk()
const routes = collectBodyRoutes()

describe('A full disk', { skip }, () => {
  let disk: SmallDisk
  let service: TestService
  before(async () => {
    disk = await mountSmallDisk(ROOM_BYTES)
    const environment = { TRUST_PROXY: '127.0.0.1', DATA_DIR: disk.folder, FREE_DISK_MEGABYTES_MIN: '1' }
    service = await TestService.start('sqlite', { environment, rendersLate: false, sandboxesBundles: true })
  })
  beforeEach(() => disk.setFreeBytes(ROOM_BYTES))
  after(async () => {
    await service[Symbol.asyncDispose]()
    await disk[Symbol.asyncDispose]()
  })

  const formOf = async () => {
    const form = new FormData()
    form.set('template_id', 'one-frame')
    form.set('artwork', new Blob([new Uint8Array(await plainPicture(900, 900, [1, 2, 3], 'jpeg'))]), 'a.jpg')
    return form
  }

  it('is 503 with Retry-After for mockups, however their artwork is sent, without a charge; and they work afterwards', async () => {
    const { key } = await service.customer(10)
    const order = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 2000 }
    const form = await formOf()
    assert.equal((await service.generate(key, order)).status, 200)
    for (const headers of [{}, { 'Idempotency-Key': 'kept' }])
      for (const body of [order, form]) {
        await disk.setFreeBytes(0)
        const answer = await service.generate(key, body, headers)
        assert.equal(answer.status, 503, answer.bytes.toString())
        assert.equal(errorOf(answer).code, 'SERVER_BUSY')
        assert.ok(Number(answer.headers.get('retry-after')) >= 1)
        await disk.setFreeBytes(ROOM_BYTES)
        // If the database had no space to release the credit, the next sweep does.
        while ((await service.balance(key)) !== 9) await delay(50)
      }
    assert.equal((await service.generate(key, form, { 'Idempotency-Key': 'kept' })).status, 200)
    assert.deepEqual(service.log.filter(line => line.includes('"level":"error"')).filter(isDefect), [])
    await assertNothingLeft(service)
  })

  it('is 503 and never 500 for anything a signed-in customer does, and for sign-in', async () => {
    const { url } = service.running
    const visitor = await Visitor.enter(service, 'full-disk@example.com')
    await disk.setFreeBytes(0)
    const big = 'x'.repeat(30_000)
    const sent: Record<string, number[]> = {}
    for (let round = 0; round < 8; round++)
      for (const [path, json] of [
        ['/dashboard/api/keys', { name: `key ${round}` }],
        ['/dashboard/api/templates/one-frame/marks', { tags: [`tag ${round}`] }],
        ['/dashboard/api/imports', { file_name: 'a.psd', size_bytes: 5_000_000 }],
        ['/dashboard/auth/sign-in/email', { email: 'full-disk@example.com', password: big.slice(0, 100) }],
        ['/dashboard/api/account/email', { email: `new-${round}@example.com`, password: 'x' }],
      ] as const) {
        const answer = await visitor.send(path, { json })
        ;(sent[path] ??= []).push(answer.status)
        if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) >= 1, path)
        assert.notEqual(answer.status, 500, `${path}: ${await answer.text()}`)
      }
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    await disk.setFreeBytes(ROOM_BYTES)
    assert.equal((await visitor.send('/dashboard/api/session')).status, 200)
    assert.ok(sent['/dashboard/api/keys']?.includes(503) ?? false, JSON.stringify(sent))
  })

  it('is 503 for previews of templates, and they work afterwards', async () => {
    const { accountId } = await service.customer()
    const { templates } = service.running.services
    const record = (await templates.get('one-frame')) ?? assert.fail('no template')
    const preview = () => templates.previewFolder(record, { accountId, beforeMaking: async () => undefined })
    await disk.setFreeBytes(0)
    await assert.rejects(preview(), error => isDiskFull(error) && operationalRetryS(error) !== null)
    await disk.setFreeBytes(ROOM_BYTES)
    await preview()
  })

  it('refuses uploads before the last space is used, which is reserved for paid mockups', async () => {
    const [paying, poor] = [await service.customer(2), await service.customer(0)]
    let count = 0
    for (const route of routes.filter(({ octets }) => octets !== null)) {
      await disk.setFreeBytes(ROOM_BYTES)
      const target = await octetTargets[route.url]?.(service, await enterShop(service, ++count))
      if (target === undefined) throw new Error(route.url)
      await disk.setFreeBytes(LEAST_FREE_BYTES)
      const { path, headers, good: body } = target
      const answer = await sendBody(service.running.url, { method: 'POST', path, headers, body, framing: 'length' })
      assert.equal(answer?.status, 503, `${route.url}: ${answer?.text}`)
      assert.match(answer?.text ?? '', /no room on its disk/)
      assert.match(answer?.head ?? '', /^retry-after: [1-9]/im)
    }
    const form = await formOf()
    const refused = await service.generate(poor.key, form)
    assert.deepEqual([refused.status, errorOf(refused).code], [503, 'SERVER_BUSY'])
    const made = await service.generate(paying.key, form)
    assert.equal(made.status, 200, made.bytes.toString())
    await disk.setFreeBytes(ROOM_BYTES)
    assert.equal((await service.generate(poor.key, form)).status, 402)
    while ((await fetch(`${service.running.url}/readyz`)).status !== 200) await delay(50)
    await assertNothingLeft(service)
  })
})

/** Background work and the database are also affected by the full disk, and retry. */
const isDefect = (line: string) => !/in the background failed|the database does not answer/.test(line)
