import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Server } from 'node:http'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { z } from 'zod'
import { RawConnection } from '../../test/http/raw-connection.ts'
import { createTestDatabase, type TestDatabase } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { buildApiKey } from '../api-keys/api-key-format.ts'
import { ApiKeys } from '../api-keys/api-keys.ts'
import type { Database } from '../database/database.ts'
import { Admissions } from '../mockups/admissions.ts'
import { renderBusy } from '../mockups/generation-error.ts'
import { createLogger } from '../observability/logger.ts'
import type { FinishedRequest } from '../observability/metrics.ts'
import { DatabaseRateLimiter } from '../rate-limits/rate-limiter.ts'
import { GenerationPlaces } from '../routes/generation-places.ts'
import type { Authenticator } from './authentication.ts'
import { buildProxyTrust } from './client-address.ts'
import { defaultDeadlines } from './deadlines.ts'
import { serverBusy } from './error-mapping.ts'
import { openFrontDoor } from './front-door.ts'
import { readJsonBody } from './json-body.ts'
import { RequestGate } from './request-gate.ts'
import { continueBody, installLifecycle, type LifecycleOptions, type UsageRecord } from './request-lifecycle.ts'

const TARGET = '/mockups'

/** The limits: of a key in a minute, and of an address without one. */
const PER_MINUTE = 3
const UNAUTHENTICATED_PER_MINUTE = 2

/** Requests that may hold a place. */
const QUEUE_LIMIT = 1

const fail = (error: unknown) => {
  throw error
}

/** The keys of the database, which can be held up and can fail. */
class SlowKeys implements Authenticator {
  readonly #database: Database
  readonly #keys: ApiKeys
  askedCount = 0
  fault: Error | null = null
  /** Look-ups wait for it. */
  held: Promise<void> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
    this.#keys = new ApiKeys(database, { onError: fail })
  }

  async create(): Promise<{ readonly key: string; readonly keyId: string; readonly accountId: string }> {
    const { accountId } = await new Accounts(this.#database).create({ email: 'customer@example.org' })
    return { ...(await this.#keys.create({ accountId, name: 'test' })), accountId }
  }

  async authenticate(key: string) {
    this.askedCount += 1
    await this.held
    if (this.fault !== null) throw this.fault
    return this.#keys.authenticate(key)
  }

  touch(keyId: string): void {
    this.#keys.touch(keyId)
  }

  close(): Promise<void> {
    return this.#keys.close()
  }
}

/** What was seen of requests as JSON, but for what is new each time: ids, and when it was. */
function comparable(seen: unknown): string {
  return JSON.stringify(seen)
    .replaceAll(/(req|key|acc)_\w+/g, '$1_')
    .replaceAll(/"date: [^"]*"/g, '"date"')
    .replaceAll(/"(time|durationMs|atMs|stack)":(?:"(?:[^"\\]|\\.)*"|[\d.]+)/g, '"$1":0')
}

/** A server with a front door before a router whose hooks do the same, as the service's do. */
class House implements AsyncDisposable {
  readonly keys: SlowKeys
  readonly admissions = new Admissions(QUEUE_LIMIT)
  /** Targets that were routed. */
  readonly routed: string[] = []
  readonly finished: FinishedRequest[] = []
  readonly usage: UsageRecord[] = []
  readonly log: unknown[] = []
  readonly #database: TestDatabase
  readonly #limiter: DatabaseRateLimiter
  readonly #app = Fastify({ trustProxy: buildProxyTrust(['127.0.0.1']) })
  isStopping = false

  private constructor(database: TestDatabase) {
    this.#database = database
    this.keys = new SlowKeys(database.database)
    // Time stands still, so that two answers say the same of it.
    this.#limiter = new DatabaseRateLimiter(database.database, { clock: () => 1_790_000_000_000, onError: fail })
  }

  static async open(): Promise<House> {
    const house = new House(await createTestDatabase('sqlite'))
    house.#build()
    await house.#app.listen({ host: '127.0.0.1', port: 0 })
    return house
  }

  #build(): void {
    const app = this.#app
    const lifecycle: LifecycleOptions = {
      logger: createLogger('trace', { write: line => void this.log.push(JSON.parse(line)) }),
      deadlines: defaultDeadlines,
      onFinished: finished => void this.finished.push(finished),
      recordUsage: record => void this.usage.push(record),
      isStopping: () => this.isStopping,
      isEncrypted: true,
    }
    const gate = new RequestGate(
      { apiKeys: this.keys, rateLimiter: this.#limiter },
      {
        limits: { perMinute: PER_MINUTE, perDay: 1000, unauthenticatedPerMinute: UNAUTHENTICATED_PER_MINUTE },
        isProxy: buildProxyTrust(['127.0.0.1']),
        refusalOfAll: () => (this.isStopping ? serverBusy(5) : null),
      },
    )
    const places = new GenerationPlaces({
      admit: keyId => {
        if (!this.admissions.mayEnter(keyId)) throw renderBusy('Too many requests wait', 7000)
        return this.admissions.enter(keyId)
      },
    })
    app.server.removeAllListeners('request')
    const route = openFrontDoor(
      (request, response) => {
        this.routed.push(`${request.method} ${request.url}`)
        app.routing(request, response)
      },
      {
        method: 'POST',
        target: TARGET,
        gate,
        lifecycle,
        admit: (request, response) => places.enter(request, response),
      },
    )
    app.server.on('request', route).on('checkContinue', route)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    installLifecycle(app, lifecycle)
    app.addHook('onRequest', async request => {
      await gate.enter(request.raw)
    })
    app.get(TARGET, async () => ({ method: 'GET' }))
    app.post(TARGET, {
      onRequest: (request, reply, done) => {
        places.enter(request.raw, reply.raw)
        done()
      },
      handler: async (request, reply) => {
        continueBody(request, reply)
        return { received: await readJsonBody(request.raw, defaultDeadlines), places: this.admissions.count }
      },
    })
  }

  connect(): Promise<RawConnection> {
    const address = this.#app.server.address()
    assert(address !== null && typeof address === 'object')
    return RawConnection.open(`http://127.0.0.1:${address.port}`)
  }

  /** Waits until so many requests have ended. */
  async ended(count: number): Promise<void> {
    while (this.finished.length < count) await nextTurn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    assert(this.#app.server instanceof Server)
    this.#app.server.closeAllConnections()
    await this.#app.close()
    await this.keys.close()
    await this.#limiter.close()
    await this.#database.remove()
  }
}

type Asked = {
  readonly method?: string
  readonly target?: string
  readonly key?: string
  /** More header lines. */
  readonly lines?: readonly string[]
  readonly body?: string
}

function head({ method = 'POST', target = TARGET, key, lines = [] }: Asked, bodyBytes: number): string {
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    'Content-Type: application/json',
    `Content-Length: ${bodyBytes}`,
    ...lines,
    '\r\n',
  ].join('\r\n')
}

/** Sends a request on a connection of its own; the answer with its headers in one order and case. */
async function ask(house: House, request: Asked) {
  using connection = await house.connect()
  const { body = '{"artwork":"a"}' } = request
  connection.send(head(request, body.length) + body)
  const text = await connection.receive(/\r\n\r\n\{.*\}$/s)
  const [headText = '', bodyText = ''] = text.split('\r\n\r\n')
  const [status = '', ...lines] = headText.split('\r\n')
  const headers = lines.map(line => line.replace(/^[^:]*/, name => name.toLowerCase())).toSorted()
  return { status: Number(status.split(' ')[1]), headers, body: bodyText }
}

test('a valid key is looked up once, admitted and routed once, with its body unread', async () => {
  await using house = await House.open()
  const { key, keyId, accountId } = await house.keys.create()
  const { status, headers, body } = await ask(house, { key })
  assert.deepEqual([status, JSON.parse(body)], [200, { received: { artwork: 'a' }, places: 1 }])
  assert.ok(headers.includes(`x-ratelimit-remaining: ${PER_MINUTE - 1}`), headers.join())
  await house.ended(1)
  assert.equal(house.keys.askedCount, 1)
  assert.deepEqual(house.routed, [`POST ${TARGET}`])
  assert.equal(house.admissions.count, 0)
  assert.deepEqual(
    house.usage.map(record => [record.keyId, record.accountId, record.status]),
    [[keyId, accountId, 200]],
  )
})

test('a body that comes after its request was admitted is read all the same', async () => {
  await using house = await House.open()
  const { key } = await house.keys.create()
  using connection = await house.connect()
  connection.send(head({ key }, 9))
  while (house.routed.length === 0) await nextTurn()
  for (const letter of '{"a": 10}') {
    connection.send(letter)
    await nextTurn()
  }
  assert.match(await connection.receive(/\}$/), /"received":\{"a":10\}/)
})

test('another target, another method and a query are routed at once, and looked up there', async () => {
  await using house = await House.open()
  const { key } = await house.keys.create()
  const found = await ask(house, { key, method: 'GET' })
  assert.equal(found.body, '{"method":"GET"}')
  assert.equal((await ask(house, { key, target: `${TARGET}/none` })).status, 404)
  assert.equal((await ask(house, { key, target: `${TARGET}?a=1` })).status, 200)
  assert.equal(house.keys.askedCount, 3)
  assert.deepEqual(house.routed, [`GET ${TARGET}`, `POST ${TARGET}/none`, `POST ${TARGET}?a=1`])
})

test('whoever waits for "100 Continue" gets it once admitted, and a refusal without it', async () => {
  await using house = await House.open()
  const { key } = await house.keys.create()
  const lines = ['Expect: 100-continue']
  using admitted = await house.connect()
  admitted.send(head({ key, lines }, 9))
  assert.equal(await admitted.receive(/\r\n\r\n$/), 'HTTP/1.1 100 Continue\r\n\r\n')
  admitted.send('{"a": 10}')
  assert.match(await admitted.receive(/\}$/), /HTTP\/1\.1 200 OK\r\n.*"received":\{"a":10\}/s)
  using refused = await house.connect()
  refused.send(head({ lines }, 9))
  await refused.ended()
  assert.match(refused.received, /^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s)
  assert.deepEqual(house.routed, [`POST ${TARGET}`])
})

/** What may be refused: each is asked by the front door and, with a `?` behind its target, by the router; in houses that are alike. */
const refusals: readonly {
  readonly name: string
  readonly statuses: readonly number[]
  readonly hasKey?: boolean
  /** What the house goes through before. */
  readonly prepare?: (house: House) => void
  readonly request?: Asked
}[] = [
  { name: 'no key, until its address has asked too often', statuses: [401, 401, 429, 429] },
  { name: 'an unknown key', statuses: [401, 401, 429], request: { key: buildApiKey() } },
  { name: 'a text that is no key', statuses: [401, 401, 429], request: { key: 'letmein' } },
  { name: 'a word that is not Bearer', statuses: [401], request: { lines: ['Authorization: Basic eDp5'] } },
  { name: 'a key that has asked too often', statuses: [200, 200, 200, 429, 429], hasKey: true },
  {
    name: 'anything while the service stops',
    statuses: [503],
    hasKey: true,
    prepare: house => {
      house.isStopping = true
    },
  },
  {
    name: 'no key while the service stops',
    statuses: [401],
    prepare: house => {
      house.isStopping = true
    },
  },
  {
    name: 'what finds the queue full',
    statuses: [503, 503, 503, 429],
    hasKey: true,
    prepare: house => {
      for (const other of ['key_a', 'key_b']) house.admissions.enter(other)
    },
  },
  {
    name: 'a key that cannot be looked up because of a defect',
    statuses: [500],
    hasKey: true,
    prepare: house => {
      house.keys.fault = new Error('no such column')
    },
  },
  {
    name: 'a key that cannot be looked up because the database is away',
    statuses: [503],
    hasKey: true,
    prepare: house => {
      house.keys.fault = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    },
  },
  { name: 'no key with a body that is not JSON', statuses: [401], request: { body: '{"a":}' } },
]

for (const { name, statuses, hasKey = false, prepare, request = {} } of refusals)
  test(`the front door answers as the router does, once: ${name}`, async () => {
    const askAll = async (target: string) => {
      await using house = await House.open()
      const own = hasKey ? await house.keys.create() : null
      prepare?.(house)
      const answers = []
      for (const [index] of statuses.entries()) {
        answers.push(await ask(house, { ...request, target, ...(own === null ? {} : { key: own.key }) }))
        await house.ended(index + 1)
      }
      const { finished, usage, log } = house
      assert.ok(log.length >= statuses.length)
      return {
        statuses: answers.map(answer => answer.status),
        seen: comparable({ answers, finished, usage, log }),
        house,
      }
    }
    const [door, router] = [await askAll(TARGET), await askAll(`${TARGET}?`)]
    assert.deepEqual(door.statuses, statuses)
    assert.deepEqual(JSON.parse(door.seen), JSON.parse(router.seen))
    const admittedCount = statuses.filter(status => status === 200).length
    assert.equal(door.house.routed.length, admittedCount)
    assert.equal(router.house.routed.length, statuses.length)
    assert.equal(door.house.keys.askedCount, router.house.keys.askedCount)
    assert.ok(door.house.keys.askedCount <= statuses.length)
  })

test('of refusals the log has what finds the queue full only where it is told everything', async () => {
  await using house = await House.open()
  const { key } = await house.keys.create()
  for (const other of ['key_a', 'key_b']) house.admissions.enter(other)
  assert.deepEqual([(await ask(house, { key })).status, (await ask(house, {})).status], [503, 401])
  await house.ended(2)
  const lines = house.log.map(line => z.looseObject({ level: z.string(), status: z.int() }).parse(line))
  assert.deepEqual(
    lines.map(({ level, status }) => [level, status]),
    [
      ['debug', 503],
      ['info', 401],
    ],
  )
})

test('clients without a key are counted by the address that a proxy names, together with what the router counts', async () => {
  await using house = await House.open()
  const statusFrom = async (address: string, target = TARGET) =>
    (await ask(house, { target, lines: [`X-Forwarded-For: 198.51.100.1, ${address}`] })).status
  assert.deepEqual([await statusFrom('203.0.113.9'), await statusFrom('203.0.113.9', `${TARGET}?`)], [401, 401])
  assert.deepEqual([await statusFrom('203.0.113.9'), await statusFrom('203.0.113.9', `${TARGET}?`)], [429, 429])
  assert.equal(await statusFrom('203.0.113.10'), 401)
})

for (const isKnown of [true, false])
  test(`a client that leaves while its ${isKnown ? '' : 'un'}known key is looked up is neither admitted nor answered, and counted`, async () => {
    await using house = await House.open()
    const { key } = isKnown ? await house.keys.create() : { key: buildApiKey() }
    const lookUp = Promise.withResolvers<void>()
    house.keys.held = lookUp.promise
    using connection = await house.connect()
    connection.send(`${head({ key }, 2)}{}`)
    while (house.keys.askedCount === 0) await nextTurn()
    connection.socket.destroy()
    await house.ended(1)
    lookUp.resolve()
    // The next one of the same client says what was counted.
    const next = await ask(house, { key })
    const left = isKnown ? PER_MINUTE - 2 : UNAUTHENTICATED_PER_MINUTE - 2
    assert.ok(next.headers.includes(`x-ratelimit-remaining: ${left}`), next.headers.join())
    assert.deepEqual(house.finished[0]?.status, 499)
    assert.deepEqual(house.routed, isKnown ? [`POST ${TARGET}`] : [])
    assert.equal(JSON.parse(next.body).places ?? 1, 1)
  })

test('a connection goes on after a refusal, whose body is read off', async () => {
  await using house = await House.open()
  const { key } = await house.keys.create()
  using connection = await house.connect()
  const body = JSON.stringify({ artwork: 'a'.repeat(100_000) })
  connection.send(head({ key: buildApiKey() }, body.length) + body)
  await connection.receive(/INVALID_API_KEY.*\}$/s)
  connection.send(`${head({ key }, 2)}{}`)
  assert.match(await connection.receive(/"received":\{\}.*\}$/s), /HTTP\/1\.1 200 OK/)
  await once(connection.socket.end(), 'close')
})
