import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type S3Fault, s3Settings, startS3, type TestS3 } from '../servers/s3.ts'
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from '../servers/small-disk.ts'
import { type BodyAnswer, type SentBody, sendBody } from './body-client.ts'
import { type BodyRoute, collectBodyRoutes } from './body-routes.ts'
import { assertNothingLeft, enterShop, type OctetTarget, octetTargets } from './octet-targets.ts'
import { TestService } from './test-service.ts'

const MIB = 1024 * 1024
const environment = { TRUST_PROXY: '127.0.0.1' }
const deadlines = { bodyIdleMs: 400, lingerMs: 5_000 }
const routes = collectBodyRoutes()

let service: TestService
let shopCount = 0
/** A new target for a file, each time. */
async function targetOf(route: BodyRoute): Promise<OctetTarget> {
  const make = octetTargets[route.url] ?? assert.fail(`octet-targets.ts has no target for ${route.url}`)
  return make(service, await enterShop(service, ++shopCount))
}
const octetRoutes = (): BodyRoute[] => routes.filter(({ octets }) => octets !== null)

async function send(route: Pick<BodyRoute, 'method'>, target: OctetTarget, change: Partial<SentBody> = {}) {
  const { path, headers, good: body } = target
  const sent = { method: route.method, path, headers, body, framing: 'length', ...change } as const
  return sendBody(service.running.url, sent)
}

/** With `VITRINE_TEST_SIZE=full` each route in every way; otherwise in two or one. The routes alternate. */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
function* inTurns<T>(of: readonly BodyRoute[], ways: readonly T[], waysEach = 2): Generator<readonly [BodyRoute, T]> {
  const step = Math.ceil(ways.length / waysEach)
  for (const [turn, route] of of.entries())
    for (const [index, way] of ways.entries()) if (isFull || (turn + index) % step === 0) yield [route, way]
}

/** All framings in which a client may send a body and read the answer. */
const framings = [
  { framing: 'length', isPatient: false },
  { framing: 'chunked', isPatient: false },
  { framing: 'chunked', isPatient: true },
  { framing: 'length', isPatient: true },
] as const

function assertStatus(answer: BodyAnswer | null, statuses: readonly number[], what: string): void {
  assert.ok(answer !== null, `${what}: no answer`)
  assert.ok(statuses.includes(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 200)}`)
}

/** Log lines that are no defects: of housekeeping, which also encounters the broken storage and retries. */
const expectedLogs = ['in the background failed']

/** Asserts that the service is alive, logged no defect, and retained nothing of what it refused. */
async function assertUnharmed(what: string, expected: readonly string[] = expectedLogs): Promise<void> {
  assert.equal((await fetch(`${service.running.url}/healthz`)).status, 200, what)
  const isDefect = (line: string) => line.includes('"level":"error"') && !expected.some(part => line.includes(part))
  const defects = service.log.filter(isDefect)
  assert.deepEqual(defects, [], what)
  await assertNothingLeft(service)
}

async function assertTakes(route: BodyRoute, target: OctetTarget, what: string): Promise<void> {
  assertStatus(await send(route, target), [200], `${what}: a good file afterwards`)
}

describe('An uploaded file', () => {
  before(async () => {
    service = await TestService.start('sqlite', { environment, deadlines })
  })
  after(() => service[Symbol.asyncDispose]())

  it('has a target here for every route that accepts one', () => {
    assert.deepEqual(
      octetRoutes()
        .map(({ url }) => url)
        .toSorted(),
      Object.keys(octetTargets).toSorted(),
    )
  })

  it('that is too long is 413 in every framing, even for a client that sends everything before it reads', async () => {
    for (const [route, how] of inTurns(octetRoutes(), framings, 1)) {
      const maxBytes = route.octets?.maxBytes ?? 0
      const target = await targetOf(route)
      const body = Buffer.alloc(maxBytes + MIB, target.good.subarray(0, 16))
      const what = `${route.url}, ${JSON.stringify(how)}`
      // A part has a fixed size.
      assertStatus(await send(route, target, { ...how, body }), [413, 400], what)
      await assertUnharmed(what)
    }
  })

  it('that is of the wrong kind is refused before it has fully arrived, in every framing, and the answer is received', async () => {
    for (const [route, how] of inTurns(octetRoutes(), framings)) {
      const target = await targetOf(route)
      const what = `${route.url}, ${JSON.stringify(how)}`
      assertStatus(await send(route, target, { ...how, body: target.strange }), [400, 415], what)
      await assertUnharmed(what)
    }
  })

  it('of another type is 415, or 400 as JSON', async () => {
    const types = ['text/plain', 'application/json', 'multipart/form-data; boundary=x', '']
    for (const [route, type] of inTurns(octetRoutes(), types)) {
      const target = await targetOf(route)
      const headers = { ...target.headers, 'content-type': type }
      assertStatus(await send(route, target, { headers }), [400, 413, 415], `${route.url} as ${type}`)
      await assertUnharmed(route.url)
    }
  })

  it('that is cut off, aborted or stalls is not stored, and a valid one is accepted afterwards', async () => {
    const ends = [
      { by: 'end', framing: 'length' },
      { by: 'end', framing: 'chunked' },
      { by: 'reset', framing: 'chunked' },
      { by: 'reset', framing: 'length' },
      { by: 'silence', framing: 'length' },
      { by: 'silence', framing: 'chunked' },
    ] as const
    for (const [route, { by, framing }] of inTurns(octetRoutes(), ends)) {
      const target = await targetOf(route)
      const atByte = Math.floor(target.good.length / 2)
      const answer = await send(route, target, { framing, breakOff: { atByte, by } })
      const what = `${route.url}, ${framing}, ${by}`
      if (by === 'silence') assertStatus(answer, [408], what)
      else if (answer !== null) assertStatus(answer, [400], what)
      await assertUnharmed(what)
      if (by === 'reset') await assertTakes(route, target, what)
      await removeStored()
    }
  })
})

/** Removes what valid files left, so that the next check finds nothing. */
async function removeStored(): Promise<void> {
  const { database, storage } = service.running.services
  for (const prefix of ['proofs/', 'psd-imports/'])
    for (const { key } of await storage.list(prefix)) await storage.delete(key)
  await database.queries.deleteFrom('proofs').execute()
  await database.queries.deleteFrom('psd_imports').execute()
}

describe('Any other body', () => {
  before(async () => {
    service = await TestService.start('sqlite', { environment, deadlines })
  })
  after(() => service[Symbol.asyncDispose]())

  it('that is too long, invalid, cut off, aborted or stalls is refused, with a session, a key, and without', async () => {
    const { key } = await service.customer(0)
    const { shop } = await enterShop(service, ++shopCount)
    const others = routes.filter(({ octets }) => octets === null)
    assert.ok(others.length > 30, `${others.length} routes`)
    const long = Buffer.alloc(1.5 * MIB, '{"a":"')
    let count = 0
    const callers = [{}, { cookie: shop.cookie }, { authorization: `Bearer ${key}` }] as const
    for (const [{ method, url }, caller] of inTurns(others, callers, 1)) {
      // Calls are counted by network, and by account.
      const from = { 'x-forwarded-for': `203.0.${count >> 8}.${count++ & 255}` }
      const path = url.replaceAll(/:(\w+)|\*/g, 'of-nobody')
      const headers = { origin: service.running.url, 'content-type': 'application/json', ...from, ...caller }
      const target = { path, headers, good: long, strange: long }
      const [way, other] = count % 2 === 0 ? (['length', 'chunked'] as const) : (['chunked', 'length'] as const)
      for (const change of [
        { framing: way },
        { framing: other, isPatient: true },
        { framing: way, headers: { ...headers, 'content-type': 'application/octet-stream' } },
        { framing: way, body: Buffer.from('{"a":'), breakOff: { atByte: 5, by: 'end' } },
        { framing: way, breakOff: { atByte: MIB, by: 'reset' } },
      ] as const) {
        const answer = await send({ method }, target, change)
        const what = `${method} ${url} ${JSON.stringify({ ...change, body: undefined, caller: Object.keys(caller) })}`
        if ('breakOff' in change) assert.ok((answer?.status ?? 400) < 500, what)
        else if (answer === null || answer.status >= 500) assert.fail(`${what}: ${answer?.head ?? 'no answer'}`)
      }
      await assertUnharmed(url)
    }
  })

  it('that stalls is 408 if it was being read', async () => {
    const { shop } = await enterShop(service, ++shopCount)
    const headers = { origin: service.running.url, cookie: shop.cookie, 'content-type': 'application/json' }
    const target = { path: '/dashboard/api/proofs', headers, good: Buffer.from('{"title":'), strange: Buffer.alloc(0) }
    const breakOff = { atByte: 4, by: 'silence' } as const
    assertStatus(await send({ method: 'POST' }, target, { breakOff }), [408], 'JSON')
    await assertUnharmed('JSON')
  })
})

describe('A file uploaded to S3', () => {
  let s3: TestS3
  before(async () => {
    s3 = await startS3()
    service = await TestService.start('sqlite', { environment: { ...environment, ...s3Settings(s3) }, deadlines })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await s3.stop()
  })

  it('which fails halfway is 503 with Retry-After, and nothing of it is left', async () => {
    const faults = [
      ['slow-down', 'length'],
      ['refuses', 'chunked'],
    ] as const satisfies readonly (readonly [S3Fault, string])[]
    for (const [route, [fault, framing]] of inTurns(octetRoutes(), faults, 1)) {
      const target = await targetOf(route)
      const onByte = {
        // If it is sent in parts, after the first one.
        atByte: Math.floor(target.good.length * 0.6),
        act: async () => {
          s3.fault = fault
        },
      }
      const what = `${route.url}, ${fault}, ${framing}`
      const answer = await send(route, target, { framing, onByte })
      s3.fault = null
      assertStatus(answer, [503], what)
      assert.match(answer?.head ?? '', /^retry-after: [1-9]/im, what)
      await assertUnharmed(what)
    }
  })
})

const skip = whyNoSmallDisk()
describe('A file uploaded to a disk', { skip }, () => {
  let disk: SmallDisk
  before(async () => {
    disk = await mountSmallDisk(2048 * MIB)
    service = await TestService.start('sqlite', { environment: { ...environment, DATA_DIR: disk.folder }, deadlines })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await disk[Symbol.asyncDispose]()
  })

  it('which becomes full halfway is 503 with Retry-After, and nothing of it is left', async () => {
    for (const [route, framing] of inTurns(octetRoutes(), ['length', 'chunked'] as const, 1)) {
      await disk.setFreeBytes(2048 * MIB)
      const target = await targetOf(route)
      const onByte = { atByte: Math.floor(target.good.length / 2), act: () => disk.setFreeBytes(4096) }
      const what = `${route.url}, ${framing}`
      const answer = await send(route, target, { framing, onByte })
      await disk.setFreeBytes(2048 * MIB)
      assertStatus(answer, [503], what)
      assert.match(answer?.head ?? '', /^retry-after: [1-9]/im, what)
      // SQLite's file is on the same disk: its own writes may fail at that moment, too.
      await assertUnharmed(what, [...expectedLogs, 'requests that need the database are answered 503'])
      await assertTakes(route, target, what)
      await removeStored()
    }
  })
})
