import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { MADE_KEY_PREFIX } from '@vitrine/contract'
import { isVitrineError, Vitrine, VitrineError } from '../src/index.ts'
import { balanceAnswer, errorAnswer, type Scripted, startScriptedService } from './scripted-service.ts'

const API_KEY = 'vt_secretsecretsecretsecretsecretsecret1234'
const open = (baseUrl: string, options = {}) => new Vitrine({ apiKey: API_KEY, baseUrl, ...options })
const mockup: Scripted = { status: 200, headers: { 'Content-Type': 'image/jpeg', 'X-Credits-Used': '1' }, body: 'x' }
const artwork = new Blob(['picture'])

for (const [name, failure] of [
  ['429', errorAnswer(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '0' })],
  ['503', errorAnswer(503, 'SERVER_BUSY')],
  ['500', errorAnswer(500, 'MOCKUP_GENERATION_FAILED')],
  ['502 of a proxy', { status: 502, body: '<html>' }],
  ['408', errorAnswer(408, 'IMAGE_FETCH_TIMEOUT')],
  ['409 of a running request', errorAnswer(409, 'IDEMPOTENCY_CONFLICT', { 'Retry-After': '1' })],
  ['a broken connection', null],
] as const)
  test(`after ${name} the same call is sent again, with the same body and key`, async () => {
    await using service = await startScriptedService([failure, mockup])
    const { creditsUsed } = await open(service.url).generate({ template: 'a', artwork })
    assert.equal(creditsUsed, 1)
    const [first, second] = service.asked
    assert.ok(first !== undefined && second !== undefined)
    assert.equal(first.headers['idempotency-key'], second.headers['idempotency-key'])
    assert.match(String(first.headers['idempotency-key']), new RegExp(`^${MADE_KEY_PREFIX}[\\w-]{36}$`))
    const withoutBoundary = (body: string) => body.replaceAll(/-{4,}[\w-]+/g, '')
    assert.equal(withoutBoundary(first.body), withoutBoundary(second.body))
  })

for (const [status, code] of [
  [400, 'INVALID_PARAMETER'],
  [401, 'INVALID_API_KEY'],
  [402, 'INSUFFICIENT_CREDITS'],
  [404, 'TEMPLATE_NOT_FOUND'],
  [409, 'SOMETHING_NEWER'],
  [413, 'ARTWORK_FILE_TOO_LARGE'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
  [422, 'IDEMPOTENCY_MISMATCH'],
] as const)
  test(`${status} ${code} is not tried again`, async () => {
    await using service = await startScriptedService([errorAnswer(status, code)])
    await assert.rejects(open(service.url).balance(), { name: 'VitrineError', code, status, requestId: 'req_1' })
    assert.equal(service.asked.length, 1)
  })

test('a redirect is an error that says where it leads, and no request with the key goes there', async () => {
  await using elsewhere = await startScriptedService([balanceAnswer])
  const Location = `${elsewhere.url}/api/v1/billing/balance`
  await using service = await startScriptedService([{ status: 308, headers: { Location } }, balanceAnswer])
  await assert.rejects(open(service.url).balance(), {
    code: 'UNEXPECTED_RESPONSE',
    status: 308,
    message: `Expected an answer of the service but received a redirect to ${Location}.`,
  })
  assert.deepEqual([service.asked.length, elsewhere.asked.length], [1, 0])
})

test('a call ends with the last error after its retries, and without any at once', async () => {
  const failures = Array.from({ length: 3 }, () => errorAnswer(503, 'SERVER_BUSY'))
  await using service = await startScriptedService([...failures, errorAnswer(500, 'INTERNAL_ERROR')])
  await assert.rejects(open(service.url).balance(), { code: 'SERVER_BUSY' })
  assert.equal(service.asked.length, 3)
  await assert.rejects(open(service.url, { maxRetries: 0 }).balance(), { code: 'INTERNAL_ERROR' })
  assert.equal(service.asked.length, 4)
})

test('a service that asks to wait for longer than a minute is not waited for', async () => {
  await using service = await startScriptedService([
    errorAnswer(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '61' }),
    balanceAnswer,
  ])
  await assert.rejects(open(service.url).balance(), { retryAfterMs: 61_000 })
  assert.equal(service.asked.length, 1)
})

test('each try has its own time, and the last one says that it was too short', async () => {
  await using service = await startScriptedService([undefined, undefined, balanceAnswer])
  const call = open(service.url).balance({ timeoutMs: 100, maxRetries: 1 })
  await assert.rejects(call, { code: 'TIMEOUT', status: undefined, message: 'No answer came within 100 ms.' })
  assert.equal(service.asked.length, 2)
  assert.deepEqual(await open(service.url).balance(), balanceAnswer?.body)
})

test('an aborted call rejects with the caller’s reason at once: before it, under way and while it waits', async () => {
  await using service = await startScriptedService([
    undefined,
    errorAnswer(503, 'SERVER_BUSY', { 'Retry-After': '50' }),
  ])
  const vitrine = open(service.url)
  const reason = { why: 'the tab was closed' }
  const isReason = (error: unknown) => error === reason
  await assert.rejects(vitrine.balance({ signal: AbortSignal.abort(reason) }), isReason)
  assert.equal(service.asked.length, 0)
  for (const asked of [1, 2]) {
    const controller = new AbortController()
    const call = vitrine.balance({ signal: controller.signal })
    while (service.asked.length < asked) await new Promise(resolve => setTimeout(resolve, 5))
    await new Promise(resolve => setTimeout(resolve, 50))
    controller.abort(reason)
    await assert.rejects(call, isReason)
  }
  assert.equal(service.asked.length, 2)
})

test('a chosen key is sent as it is, and false sends none', async () => {
  await using service = await startScriptedService([mockup, mockup])
  const vitrine = open(service.url)
  assert.equal(
    (await vitrine.generate({ template: 'a', artwork, idempotencyKey: 'order-1' })).idempotencyKey,
    'order-1',
  )
  assert.equal((await vitrine.generate({ template: 'a', artwork, idempotencyKey: false })).idempotencyKey, null)
  assert.deepEqual(
    service.asked.map(({ headers }) => headers['idempotency-key']),
    ['order-1', undefined],
  )
})

test('an answer that is not the service’s is UNEXPECTED_RESPONSE', async () => {
  await using service = await startScriptedService([
    { status: 200, body: '<html>' },
    { status: 200, body: { hello: 'world' } },
    { status: 404, body: 'Not here' },
  ])
  for (const status of [200, 200, 404])
    await assert.rejects(open(service.url).balance(), { code: 'UNEXPECTED_RESPONSE', status })
})

test('an error of a newer service is a VitrineError with what it said', async () => {
  const body = { error: 'New.', code: 'NEW_CODE', details: { a: 1 }, hint: 'Do.' }
  await using service = await startScriptedService([{ status: 418, body }])
  const error = await open(service.url)
    .balance()
    .catch((error: unknown) => error)
  assert.ok(isVitrineError(error) && error instanceof VitrineError)
  assert.deepEqual([error.message, error.code, error.details, error.hint], ['New.', 'NEW_CODE', { a: 1 }, 'Do.'])
  assert.ok(!isVitrineError(error, 'SERVER_BUSY') && !isVitrineError(new Error('other')))
})

test('the key is in nothing that is printed: the client, its errors, their causes', async () => {
  await using service = await startScriptedService([null, errorAnswer(401, 'INVALID_API_KEY')])
  const vitrine = open(service.url, { maxRetries: 0 })
  const errors = [await vitrine.balance().catch(String), await vitrine.balance().catch((error: unknown) => error)]
  for (const value of [vitrine, ...errors]) {
    const options = { depth: 10, showHidden: true, getters: true }
    assert.ok(!`${inspect(value, options)}${JSON.stringify(value)}`.includes(API_KEY))
  }
})

test('templates are listed page by page, and only as far as they are taken', async () => {
  const page = (ids: readonly string[]): Scripted => ({
    status: 200,
    body: { templates: ids.map(id => ({ id })), pagination: { total_pages: 3 } },
  })
  await using service = await startScriptedService([page(['a', 'b']), page(['c'])])
  const ids: string[] = []
  for await (const { id } of open(`${service.url}/`).templates({ type: 'product', search: 'mug & cup' })) {
    ids.push(id)
    if (id === 'c') break
  }
  assert.deepEqual(ids, ['a', 'b', 'c'])
  assert.deepEqual(
    service.asked.map(({ url }) => url),
    [1, 2].map(page => `/api/v1/templates?type=product&search=mug+%26+cup&page=${page}&limit=100`),
  )
})

test('a key or an address that is missing is named', () => {
  assert.throws(() => new Vitrine({ baseUrl: 'http://localhost' }), /VITRINE_API_KEY/)
  assert.throws(() => new Vitrine({ apiKey: API_KEY }), /VITRINE_URL/)
})
