import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, errorBodySchema, errorCodes, errorDefinition } from '@vitrine/contract'
import type { ReceivedAnswer } from '../http/documented-answer.ts'
import { generateHead, RawConnection } from '../http/raw-connection.ts'
import { describeOnOneDatabase, type TestService } from '../http/test-service.ts'

/** An error answer, whatever produced it. */
type ErrorAnswer = { readonly status: number; readonly json: unknown }
type Row = readonly [code: ErrorCode, provoke: (service: TestService, key: string) => Promise<ErrorAnswer>]

const REQUESTS_PER_MINUTE = 12
const template = { template_id: 'one-frame', width: 8 }
const asked =
  (body: object | ((origin: string) => object)) =>
  (service: TestService, key: string): Promise<ReceivedAnswer> =>
    service.generate(key, typeof body === 'function' ? body(service.origin.url) : body)
const fetched = (path: string) => asked(origin => ({ ...template, artwork_url: `${origin}${path}` }))

/** The answer to raw bytes on a separate connection. */
async function toBytes(service: TestService, bytes: string): Promise<ErrorAnswer> {
  using connection = await RawConnection.open(service.running.url)
  connection.send(bytes)
  const answer = await connection.receive(/\}$/)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), json: JSON.parse(body) }
}

/** Sends a request while others with the same key wait for their artwork; those end without an answer. */
async function beside(
  service: TestService,
  key: string,
  waiting: readonly string[],
  send: (artworkUrl: string) => Promise<ReceivedAnswer>,
): Promise<ReceivedAnswer> {
  using held = new DisposableStack()
  for (const name of waiting) {
    const path = `/stall?${name}-${key}`
    const body = JSON.stringify({ ...template, artwork_url: service.origin.url + path })
    const connection = held.use(await RawConnection.open(service.running.url))
    connection.send(generateHead(key, body.length).replace('\r\n', `\r\nIdempotency-Key: ${name}\r\n`) + body)
    while (!service.origin.asked.includes(path)) await delay(5)
  }
  const answer = await send(`${service.origin.url}/stall?${waiting[0]}-${key}`)
  held.dispose()
  while (service.running.services.pool.state.admittedCount > 0) await delay(5)
  return answer
}

/** The answer to a page of another shop. */
async function load(service: TestService, key: string): Promise<ErrorAnswer> {
  const url = `${service.running.url}/embed/v1/templates/one-frame?key=${key}`
  const answer = await fetch(url, { headers: { origin: 'https://other-shop.example' } })
  return { status: answer.status, json: await answer.json() }
}

/** A request with another, limited key of the account. */
const limited =
  (limits: Partial<Parameters<TestService['running']['services']['apiKeys']['create']>[0]>): Row[1] =>
  async (service, key) => {
    const { apiKeys } = service.running.services
    const check = await apiKeys.authenticate(key, '127.0.0.1')
    assert.ok(check.kind === 'accepted')
    const other = await apiKeys.create({ accountId: check.accountId, name: 'limited', ...limits })
    return service.generate(other.key, {})
  }

/** A request with a valid key of a suspended account. */
async function suspended(service: TestService): Promise<ReceivedAnswer> {
  const { key, accountId } = await service.customer()
  await service.running.services.accounts.suspend(accountId)
  return service.generate(key, {})
}

/** The same request again, or another with its `Idempotency-Key`, while it is in progress. */
const again =
  (changes: object): Row[1] =>
  (service, key) =>
    beside(service, key, ['a'], artwork_url =>
      service.generate(key, { ...template, artwork_url, ...changes }, { 'Idempotency-Key': 'a' }),
    )

/**
 * Ends the render processes during a job: they are stopped before it arrives, so that it cannot be finished
 * by then.
 */
async function failRendering(service: TestService, key: string): Promise<ReceivedAnswer> {
  const { pool } = service.running.services
  const signal = (name: 'SIGSTOP' | 'SIGKILL') => {
    for (const processId of pool.state.processIds) process.kill(processId, name)
  }
  while (pool.state.readyCount === 0) await delay(5)
  signal('SIGSTOP')
  const answer = fetched('/red.png')(service, key)
  while (pool.state.busyCount === 0) await delay(5)
  signal('SIGKILL')
  return answer
}

/** Every code that a caller can encounter, and how. */
const rows: readonly Row[] = [
  ['MISSING_API_KEY', service => service.send({ key: null })],
  ['INVALID_API_KEY', service => service.send({ key: `vt_${'x'.repeat(36)}` })],
  ['INSUFFICIENT_SCOPE', limited({ scopes: ['read'] })],
  ['ADDRESS_NOT_ALLOWED', limited({ allowedAddresses: ['192.0.2.0/24'] })],
  ['ACCOUNT_SUSPENDED', suspended],
  [
    'INSUFFICIENT_CREDITS',
    asked({
      template_ids: ['one-frame', 'one-frame', 'one-frame'],
      artwork_url: 'http://x.invalid/',
      response_format: 'json',
    }),
  ],
  ['MISSING_TEMPLATE_ID', asked({})],
  ['TOO_MANY_TEMPLATES', asked({ template_ids: Array.from({ length: 13 }, () => 'x'), response_format: 'json' })],
  ['BATCH_REQUIRES_JSON', asked({ template_ids: ['x'] })],
  ['CONFLICTING_PARAMETERS', asked({ template_id: 'x', template_ids: ['x'] })],
  ['INVALID_PARAMETER', asked({ template_id: 1 })],
  ['MISSING_ARTWORK', asked(template)],
  ['INVALID_ARTWORK_URL', asked({ ...template, artwork_url: 'x' })],
  ['INVALID_FRAME_INDEX', asked({ ...template, artwork_urls: { 1: 'http://x.invalid/' } })],
  ['MALFORMED_REQUEST', service => toBytes(service, 'x\r\n\r\n')],
  ['TEMPLATE_NOT_FOUND', asked({ template_id: 'x', artwork_url: 'http://x.invalid/' })],
  ['IDEMPOTENCY_CONFLICT', again({})],
  ['IDEMPOTENCY_MISMATCH', again({ width: 9 })],
  ['ARTWORK_URL_FORBIDDEN', asked({ ...template, artwork_url: 'http://127.0.0.1/' })],
  ['ARTWORK_FETCH_FAILED', fetched('/status/500')],
  ['IMAGE_URL_NOT_FOUND', fetched('/status/404')],
  ['IMAGE_FETCH_TIMEOUT', fetched('/stall')],
  ['REQUEST_TIMEOUT', (service, key) => toBytes(service, `${generateHead(key, 10)}{`)],
  ['ARTWORK_FILE_TOO_LARGE', fetched('/large')],
  ['REQUEST_TOO_LARGE', asked({ x: 'x'.repeat(1024 * 1024) })],
  ['INVALID_ARTWORK', fetched('/text')],
  ['UNSUPPORTED_MEDIA_TYPE', (service, key) => service.generate(key, 'x', { 'Content-Type': 'text/plain' })],
  ['NOT_FOUND', (service, key) => service.send({ path: '/nowhere', key })],
  ['METHOD_NOT_ALLOWED', (service, key) => service.send({ method: 'DELETE', key })],
  ['INVALID_PUBLISHABLE_KEY', service => load(service, 'vtp_none')],
  [
    'ORIGIN_NOT_ALLOWED',
    async (service, key) => {
      const { apiKeys, publishableKeys } = service.running.services
      const check = await apiKeys.authenticate(key, '127.0.0.1')
      assert(check.kind === 'accepted')
      const wanted = { accountId: check.accountId, name: 'Shop', origins: ['https://shop.example'] }
      return load(service, (await publishableKeys.create(wanted)).key)
    },
  ],
  [
    'RATE_LIMIT_EXCEEDED',
    async (service, key) => {
      for (let request = 1; request < REQUESTS_PER_MINUTE; request++) await service.send({ key })
      return service.send({ key })
    },
  ],
  ['REQUEST_HEADERS_TOO_LARGE', service => toBytes(service, `GET / HTTP/1.1\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`)],
  ['MOCKUP_GENERATION_FAILED', failRendering],
  [
    'INTERNAL_ERROR',
    async (service, key) => {
      const { schema } = service.running.services.database.queries
      await schema.alterTable('usage_templates').renameTo('usage_templates_away').execute()
      try {
        return await service.send({ path: '/billing/usage', key })
      } finally {
        await schema.alterTable('usage_templates_away').renameTo('usage_templates').execute()
      }
    },
  ],
  ['SERVER_BUSY', (service, key) => beside(service, key, ['a', 'b'], () => service.generate(key, {}))],
]

describeOnOneDatabase(
  'interface.md, "Errors"',
  use => {
    test('every code of the catalogue is tested in this file', () => {
      assert.deepEqual(rows.map(([code]) => code).sort(), [...errorCodes].sort())
    })

    for (const [code, provoke] of rows) {
      const { status, hint, details } = errorDefinition(code)
      test(`${status} ${code} is answered with a message${hint ? ', a hint' : ''}${details ? ' and details' : ''}, and costs nothing`, async () => {
        const service = use()
        const { key, accountId } = await service.customer(2)
        const answer = await provoke(service, key)
        assert.equal(answer.status, status, JSON.stringify(answer.json))
        errorBodySchema(code).strict().parse(answer.json)
        const { wallet } = service.running.services
        // The credits of a client that left without an answer are given back a moment later.
        while ((await wallet.balance(accountId)).reservedCredits > 0) await delay(5)
        assert.equal((await wallet.balance(accountId)).spendableCredits, 2)
      })
    }
  },
  {
    environment: {
      ARTWORK_TIMEOUT_SECONDS: '5',
      RATE_LIMIT_PER_MINUTE: String(REQUESTS_PER_MINUTE - 1),
      RENDER_QUEUE_LIMIT: '2',
    },
    deadlines: { bodyIdleMs: 300 },
    rendersLate: false,
  },
)
