/**
 * Every list of the dashboard with 100,000 rows in each table.
 *
 *   node service/bench/long-lists.ts [rows, default 100000]
 *
 * Prints for each route the milliseconds to its answer, the bytes, and the longest time that the event
 * loop of the service was blocked. Ends with code 1 where an answer is above a MiB or the loop above 50 ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { FakeStripe, WEBHOOK_SECRET } from '../test/dashboard/fake-stripe.ts'
import { makeLongTables } from '../test/dashboard/long-tables.ts'
import { makeOneOfEach } from '../test/dashboard/one-of-each.ts'
import { addressOf, routes } from '../test/dashboard/routes.ts'
import { Visitor } from '../test/dashboard/visitor.ts'
import { TestService } from '../test/http/test-service.ts'

const bars = { bytesMax: 1024 * 1024, blockedMs: 50 }
const rows = Number(process.argv[2] ?? 100_000)
const stripe = await FakeStripe.start()
const service = await TestService.start('sqlite', {
  environment: { STRIPE_SECRET_KEY: 'sk_test_of_vitrine', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
  stripeApi: stripe.api,
})
const owner = await Visitor.enter(service, 'has-much@example.com', 'owner')
const accountId = await owner.accountId()
const values = { ...(await makeOneOfEach(service, owner)), accountId }
makeLongTables(service.dataDir, accountId, rows)

const loop = monitorEventLoopDelay({ resolution: 1 })
const sorted = ['', '.csv'].map(ending => `GET /dashboard/api/accounts${ending}?order=mockups`)
for (const route of [...routes.account, ...routes.thing, ...routes.operator, ...sorted]) {
  if (!route.startsWith('GET')) continue
  const { path } = addressOf(route, values)
  const isCsv = route.includes('.csv')
  // The first one fills caches and compiles. A file of all accounts is read piece by piece, for seconds.
  if (!isCsv) await (await owner.send(path)).arrayBuffer()
  await delay(20)
  loop.reset()
  loop.enable()
  const startedMs = performance.now()
  const answer = await owner.send(path)
  const { byteLength } = await answer.arrayBuffer()
  const tookMs = performance.now() - startedMs
  await delay(5)
  loop.disable()
  const blockedMs = Math.max(0, loop.max / 1e6 - 1)
  if (blockedMs > bars.blockedMs || (byteLength > bars.bytesMax && !isCsv)) process.exitCode = 1
  const [ms, blocked] = [tookMs, blockedMs].map(figure => figure.toFixed(0))
  console.log(`${route}: ${answer.status}, ${ms} ms, ${byteLength} bytes, blocked for ${blocked} ms`)
}
await service.stopWithoutChecks()
await stripe[Symbol.asyncDispose]()
