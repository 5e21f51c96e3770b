import assert from 'node:assert/strict'
import { watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { ARRIVING_PER_UNFUNDED_ACCOUNT, dashboardCallLimits } from '../../src/account-budget/limits.ts'
import { EARLY_PERMIT_MS } from '../../src/mockups/limits.ts'
import { FakeStripe, WEBHOOK_SECRET } from '../dashboard/fake-stripe.ts'
import { Visitor } from '../dashboard/visitor.ts'
import { generateHead, RawConnection } from '../http/raw-connection.ts'
import { type Customer, errorOf, TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

const QUEUE_LIMIT = 4
/** More than twice the queue, and than an account without credits may have arriving. */
const KEY_COUNT = ARRIVING_PER_UNFUNDED_ACCOUNT + QUEUE_LIMIT
const UNPAID_SECONDS = 2

let service: TestService
let stripe: FakeStripe
let victim: Customer
before(async () => {
  stripe = await FakeStripe.start()
  service = await TestService.start('sqlite', {
    environment: {
      RENDER_QUEUE_LIMIT: String(QUEUE_LIMIT),
      UNPAID_RENDER_SECONDS: String(UNPAID_SECONDS),
      STRIPE_SECRET_KEY: 'sk_test_of_vitrine',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
    stripeApi: stripe.api,
    rendersLate: false,
  })
  victim = await service.customer(1000)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await stripe[Symbol.asyncDispose]()
})

/** Creates the keys of one account. */
async function keysOf({ accountId }: Customer): Promise<string[]> {
  const made = Array.from({ length: KEY_COUNT }, () =>
    service.running.services.apiKeys.create({ accountId, name: 'one of many' }),
  )
  return (await Promise.all(made)).map(({ key }) => key)
}

/** Asserts that another customer is served meanwhile. */
async function assertVictimIsServed(): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const answer = await service.generate(victim.key, {
      template_id: 'one-frame',
      artwork_url: `${service.origin.url}/red.png`,
      width: 100,
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.running.url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  )
}

/**
 * Sends until the answer is 503 and returns its Retry-After. Every earlier answer must be free of charge.
 * `leastSeconds`: shorter waits are those of a momentarily full queue.
 */
async function sendUntilBusy(
  send: () => Promise<{ status: number; headers: Headers }>,
  leastSeconds = 1,
): Promise<number> {
  for (let count = 0; count < 200; count += 1) {
    const { status, headers } = await send()
    const seconds = Number(headers.get('retry-after'))
    if (status === 503 && seconds >= leastSeconds) return seconds
    if (status === 503) {
      await delay(100)
      continue
    }
    assert.ok(status !== 200 && status < 500, String(status))
  }
  throw new Error('The account was never refused')
}

describe('One account cannot block another', () => {
  for (const credits of [0, 100])
    it(`by bodies that never arrive, from many keys of an account with ${credits} credits`, async () => {
      const squatter = await service.customer(credits)
      const connections = await Promise.all(
        (await keysOf(squatter)).map(async key => {
          const connection = await RawConnection.open(service.running.url)
          connection.send(generateHead(key, 1000))
          return connection
        }),
      )
      const over = new AbortController()
      const dripping = (async () => {
        while (!over.signal.aborted) {
          for (const connection of connections) if (!connection.isEnded) connection.send('x')
          await delay(100)
        }
      })()
      await delay(2 * EARLY_PERMIT_MS)
      await assertVictimIsServed()
      const refused = connections.filter(({ received }) => /^HTTP\/1\.1 503 [^]*\r\nretry-after: \d+/i.test(received))
      // Those that are not refused wait for their bodies, outside the queue.
      assert.equal(service.running.services.pool.state.admittedCount, 0)
      assert.equal(service.running.services.budget.arrivingCount, connections.length - refused.length)
      if (credits === 0) assert.ok(refused.length > 0)
      over.abort()
      await dripping
      for (const connection of connections) connection.socket.destroy()
      while (service.running.services.budget.arrivingCount > 0) await delay(5)
    })

  it('by many keys with artwork that never arrives', async () => {
    const greedy = await service.customer(100)
    const connections = await Promise.all(
      (await keysOf(greedy)).map(async (key, index) => {
        const connection = await RawConnection.open(service.running.url)
        const artwork_url = `${service.origin.url}/stall?${index}`
        const body = JSON.stringify({ template_id: 'one-frame', artwork_url })
        connection.send(generateHead(key, body.length) + body)
        return connection
      }),
    )
    const { pool } = service.running.services
    while (pool.state.admittedCount < QUEUE_LIMIT) await delay(5)
    await assertVictimIsServed()
    assert.ok(pool.state.admittedCount <= QUEUE_LIMIT)
    for (const connection of connections) connection.socket.destroy()
    while ((await service.balance(greedy.key)) !== 100) await delay(20)
  })

  it('by renders that it cancels: no process is killed, they count, and beyond the budget it is refused', async () => {
    const { pool } = service.running.services
    const processIds = pool.state.processIds
    const lost = await metric('vitrine_render_processes_lost_total')
    const canceller = await service.customer(100)
    const body = {
      template_ids: Array.from({ length: 12 }, () => 'one-frame'),
      response_format: 'json',
      artwork_url: `${service.origin.url}/red.png`,
    }
    let width = 4000
    const cancel = async () => {
      width -= 1
      const gone = new AbortController()
      const headers = { Authorization: `Bearer ${canceller.key}`, 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ ...body, width }), signal: gone.signal }
      const answer = fetch(`${service.running.url}/api/v1/mockups/generate`, init)
      const either = await Promise.race([answer, delay(300).then(() => null)])
      gone.abort()
      await answer.catch(() => null)
      return either ?? { status: 499, headers: new Headers() }
    }
    const refused = sendUntilBusy(cancel, 2)
    await assertVictimIsServed()
    // The budget is restored over ten minutes: seconds are too few.
    assert.ok((await refused) > 1)
    while (pool.state.busyCount > 0) await delay(20)
    assert.deepEqual(pool.state.processIds, processIds)
    assert.equal(await metric('vitrine_render_processes_lost_total'), lost)
    await assertVictimIsServed()
    while ((await service.balance(canceller.key)) !== 100) await delay(20)
  })

  it('by batches that fail at their last artwork: it is found before any mockup, and failures have a budget', async () => {
    const failing = await service.customer(100)
    const good = await plainPicture(100, 100, [9, 99, 199])
    const form = () => {
      const fields = new FormData()
      fields.set('template_ids', JSON.stringify([...Array.from({ length: 11 }, () => 'one-frame'), 'two-frames']))
      fields.set('response_format', 'json')
      fields.set('width', '1000')
      fields.set('artwork_0', new Blob([new Uint8Array(good)]), 'good.png')
      fields.set('artwork_1', new Blob([pictureThatEndsEarly()]), 'bad.png')
      return fields
    }
    const sent = form()
    const written: string[] = []
    using _ = await watchPictures(name => written.push(name))
    const answer = await service.generate(failing.key, sent)
    assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_ARTWORK'])
    assert.partialDeepStrictEqual(errorOf(answer).details, { frame: 1 })
    assert.deepEqual(written, [], 'no picture was written before the bad artwork was found')
    const refused = sendUntilBusy(() => service.generate(failing.key, sent))
    await assertVictimIsServed()
    assert.ok((await refused) >= 1)
    assert.ok(written.length > 0, 'pictures of the other customer are seen')
    assert.equal(await service.balance(failing.key), 100)
    const text = await (await fetch(`${service.running.url}/metrics`)).text()
    assert.match(text, /vitrine_account_budget_refusals_total\{budget="unpaid_time"\} [1-9]/)
  })
})

/** A PNG that is valid except for its missing last rows, which only decoding detects. */
function pictureThatEndsEarly(): Uint8Array<ArrayBuffer> {
  const sidePx = 3000
  const size = Buffer.alloc(13)
  size.writeUInt32BE(sidePx, 0)
  size.writeUInt32BE(sidePx, 4)
  // 8 bits per channel, RGB.
  size.set([8, 2], 8)
  const rows = deflateSync(Buffer.alloc((sidePx - 10) * (1 + 3 * sidePx)))
  const chunk = (type: string, data: Uint8Array) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, checksum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', size), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}

/** Watches the folders that render processes write pictures to. */
async function watchPictures(onWritten: (name: string) => void): Promise<Disposable> {
  const processes = path.join(service.dataDir, 'cache/processes')
  const watchers = (await readdir(processes)).map(name =>
    watch(path.join(processes, name, 'out'), (_, file) => onWritten(String(file))),
  )
  return {
    [Symbol.dispose]() {
      for (const watcher of watchers) watcher.close()
    },
  }
}

describe('The calls of one account in the dashboard are limited', () => {
  const groups = [
    ['keys', '/dashboard/api/keys', { name: 'Another' }],
    ['renders', '/dashboard/api/mockups/generate', {}],
    ['checkouts', '/dashboard/api/credits/checkout', { credits: 3 }],
    ['bundles', '/dashboard/api/templates/one-frame/bundle.zip', undefined],
    ['usage', '/dashboard/api/usage', undefined],
  ] as const
  for (const [group, target, json] of groups)
    it(group, async () => {
      const visitor = await Visitor.enter(service, `${group}@example.com`)
      const { limit } = dashboardCallLimits[group]
      const send = async () => {
        const answer = await visitor.send(target, json === undefined ? {} : { json })
        return { status: answer.status, text: await answer.text(), headers: answer.headers }
      }
      for (let count = 0; count < limit; count += 1) assert.notEqual((await send()).status, 429, String(count))
      const { status, text, headers } = await send()
      assert.equal(status, 429)
      assert.match(text, /"code":"TOO_MANY_CALLS"/)
      assert.ok(Number(headers.get('retry-after')) >= 1)
      // Other groups and other accounts are counted separately.
      assert.equal((await visitor.send('/dashboard/api/session')).status, 200)
      const other = await Visitor.enter(service, `not-${group}@example.com`)
      assert.notEqual((await other.send(target, json === undefined ? {} : { json })).status, 429)
    })
})
