import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { TestService } from '../http/test-service.ts'
import { s3Settings, startS3, type TestS3 } from '../servers/s3.ts'

const DAY_MS = 86_400_000
const linked = z.looseObject({ image: z.base64(), url: z.url(), url_expires_at: z.string() })

/** On each database with the storage usually used with it. */
for (const kind of ['sqlite', 'postgres'] as const)
  describe(`links to results, on ${kind} and ${kind === 'sqlite' ? 'a folder' : 'S3'}`, () => {
    let s3: TestS3 | null = null
    let service: TestService
    before(async () => {
      s3 = kind === 'postgres' ? await startS3() : null
      service = await TestService.start(kind, { environment: s3 === null ? {} : s3Settings(s3) })
    })
    after(async () => {
      await service[Symbol.asyncDispose]()
      await s3?.stop()
    })

    const order = (more: object = {}) => ({
      template_id: 'one-frame',
      artwork_url: `${service.origin.url}/red.png`,
      width: 61,
      ...more,
    })
    const make = async (key: string, more: object, idempotencyKey: string) => {
      const answer = await service.generate(key, order(more), { 'Idempotency-Key': idempotencyKey })
      assert.equal(answer.status, 200, answer.bytes.toString())
      return { answer, url: answer.headers.get('x-mockup-url') ?? '' }
    }
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

    test('the address serves the picture’s bytes, type and file name, for pages of any origin', async () => {
      const { key } = await service.customer()
      const { answer, url } = await make(key, { format: 'png' }, 'a')
      assert.match(url, /^http:\/\/[^/]+\/pictures\/[\w-]{16}\.[\w-]{32}\/one-frame\.png$/)
      const expiresMs = Date.parse(answer.headers.get('x-mockup-url-expires') ?? '')
      assert.ok(Math.abs(expiresMs - Date.now() - DAY_MS) < 30_000)
      const picture = await fetch(url, { headers: { Origin: 'https://shop.example' } })
      assert.equal(picture.status, 200)
      assert.deepEqual(await bytesOf(picture), answer.bytes)
      const head = await fetch(url, { method: 'HEAD' })
      for (const { headers } of [picture, head]) {
        assert.equal(headers.get('content-type'), 'image/png')
        assert.equal(headers.get('content-length'), String(answer.bytes.length))
        assert.equal(headers.get('content-disposition'), 'inline; filename="one-frame.png"')
        assert.equal(headers.get('access-control-allow-origin'), '*')
        assert.equal(headers.get('x-robots-tag'), 'noindex')
        const [, maxAgeS] = /^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
        assert.ok(Math.abs(Number(maxAgeS) - 86_400) < 30, `${maxAgeS}`)
      }
      assert.equal((await head.arrayBuffer()).byteLength, 0)
      assert.equal(await service.balance(key), 999)
    })

    test('without an Idempotency-Key nothing has an address', async () => {
      const { key } = await service.customer()
      const binary = await service.generate(key, order())
      assert.equal(binary.headers.get('x-mockup-url'), null)
      const json = await service.generate(key, order({ response_format: 'json' }))
      assert.doesNotMatch(json.bytes.toString(), /"url/)
    })

    test('a repeated request returns the same address, as a picture and as JSON', async () => {
      const { key } = await service.customer()
      for (const more of [{}, { response_format: 'json' }]) {
        const name = JSON.stringify(more)
        const [first, again] = [await make(key, more, name), await make(key, more, name)]
        assert.equal(again.answer.headers.get('idempotency-replayed'), 'true')
        assert.equal(again.url, first.url)
        assert.notEqual(first.url, '')
        const expires = 'x-mockup-url-expires'
        assert.equal(again.answer.headers.get(expires), first.answer.headers.get(expires))
        assert.deepEqual(again.answer.bytes, first.answer.bytes)
      }
    })

    test('JSON has a separate address for each picture, and any part of a picture can be fetched', async () => {
      const { key } = await service.customer()
      const template_ids = ['one-frame', 'two-frames', 'one-frame']
      const body = { ...order(), template_id: undefined, template_ids, response_format: 'json' }
      const answer = await service.generate(key, body, { 'Idempotency-Key': 'batch' })
      assert.equal(answer.headers.get('x-mockup-url'), null)
      const { results } = z.looseObject({ results: z.array(linked) }).parse(answer.json)
      assert.equal(new Set(results.map(({ url }) => url)).size, 3)
      const single = await make(key, { response_format: 'json' }, 'json')
      const one = linked.parse(single.answer.json)
      assert.equal(one.url, single.url)
      assert.equal(one.url_expires_at, single.answer.headers.get('x-mockup-url-expires'))
      for (const { url, image } of [...results, one]) {
        const expected = Buffer.from(image, 'base64')
        assert.deepEqual(await bytesOf(await fetch(url)), expected)
        const size = expected.length
        const parts: readonly [string, number, number][] = [
          ['0-0', 0, 1],
          ['1-4', 1, 5],
          ['2-', 2, size],
          ['-7', size - 7, size],
          [`${size - 1}-999999`, size - 1, size],
        ]
        for (const [range, start, end] of parts) {
          const part = await fetch(url, { headers: { Range: `bytes=${range}` } })
          assert.equal(part.status, 206, range)
          assert.equal(part.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`)
          assert.deepEqual(await bytesOf(part), expected.subarray(start, end), range)
        }
      }
    })

    test('unsatisfiable ranges, and those for other content, get the whole picture', async () => {
      const { key } = await service.customer()
      const { answer, url } = await make(key, {}, 'ranges')
      const size = answer.bytes.length
      for (const headers of [
        { Range: `bytes=${size}-` },
        { Range: 'bytes=5-2' },
        { Range: 'bytes=-0' },
        { Range: 'bytes=-' },
        { Range: 'bytes=0-1,3-4' },
        { Range: 'lines=0-1' },
        { Range: 'bytes=0-1', 'If-Range': '"another"' },
      ]) {
        const picture = await fetch(url, { headers })
        assert.deepEqual([picture.status, (await bytesOf(picture)).length], [200, size], headers.Range)
      }
      const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
      assert.equal((await fetch(url, { headers: { Range: 'bytes=0-1', 'If-Range': etag } })).status, 206)
    })

    test('a wrong token, file name or answer are all the same 404', async () => {
      const { key } = await service.customer()
      const { url } = await make(key, {}, 'guessed')
      const other = await make(key, {}, 'other')
      const [, token = ''] = /\.([\w-]{32})\//.exec(url) ?? []
      const changed = [
        url.replace(token, 'A'.repeat(32)),
        url.replace(token, token.slice(1)),
        other.url.replace(/\.[\w-]{32}\//, `.${token}/`),
        url.replace('one-frame.jpg', 'two-frames.jpg'),
        url.replace(/pictures\/[^/]*/, 'pictures/%2e%2e'),
        url.replace(/pictures\/[^/]*/, `pictures/${'x'.repeat(5_000)}`),
      ]
      for (const address of changed) {
        const answer = await fetch(address)
        assert.equal(answer.status, 404, address)
        assert.equal(z.looseObject({ code: z.string() }).parse(await answer.json()).code, 'NOT_FOUND')
        assert.equal((await fetch(address, { method: 'HEAD' })).status, 404)
      }
      assert.equal((await fetch(url, { method: 'POST' })).status, 405)
    })

    test('the address ends with the saved answer or the account, and does not work while the account is suspended', async () => {
      const { key, accountId } = await service.customer()
      const { idempotency, accounts } = service.running.services
      const { url } = await make(key, {}, 'ends')
      await idempotency.forgetBeyondBounds(accountId, { maxBytes: 0, maxAnswers: 0 })
      assert.equal((await fetch(url)).status, 404)
      const second = await make(key, {}, 'ends-too')
      assert.equal((await fetch(second.url)).status, 200)
      await accounts.suspend(accountId)
      assert.equal((await fetch(second.url)).status, 404)
      await accounts.restore(accountId)
      assert.equal((await fetch(second.url)).status, 200)
      await accounts.erase(accountId)
      assert.equal((await fetch(second.url)).status, 404)
    })

    test('requests are limited per client address and minute, without affecting its limit of API requests', async () => {
      const { key } = await service.customer()
      const { url } = await make(key, {}, 'bounded')
      const first = await fetch(url)
      const limit = Number(first.headers.get('x-ratelimit-limit'))
      const left = Number(first.headers.get('x-ratelimit-remaining'))
      assert.ok(limit >= 1000 && left < limit)
      // Counted as this many requests would be.
      const counted = { subject: 'pictures:127.0.0.1', limits: [{ windowSeconds: 60, limit }] }
      for (let i = 1; i < left; i++) await service.running.services.rateLimiter.count(counted)
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 200)
      const refused = await fetch(url)
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) >= 1)
      assert.equal((await service.send({ key })).status, 200)
    })
  })
