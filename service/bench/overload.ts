/**
 * The service under more load than it can serve.
 *
 *   node service/bench/overload.ts [seconds per level, default 30] [url | upload] [shared | apart]
 *
 * Offers 1, 5 and 10 times the measured capacity, by 20 keys of 4 accounts. Service and client share this
 * machine's cores or, with `apart`, have one each (Linux, taskset), so that the client takes nothing from the
 * service. Prints per level the goodput, the statuses, the latency of accepted requests and of /healthz, and
 * processor times: of the service and the client for each answer, of the render processes and of all for each
 * mockup. At the end, whether every bar holds and the ledger agrees with the answers. Ends with code 1 where
 * one does not.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type LoadCost, type LoadLevel, measureOverload } from './measure-overload.ts'
import { startArtworkOrigin } from './mockup-load.ts'
import { type SpawnedService, spawnService } from './spawned-service.ts'

const seconds = Number(process.argv[2] ?? 30)
const isApart = process.argv[4] === 'apart'
using origin = await startArtworkOrigin()
await using service = await spawnService({
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_DAY: '100000000',
  ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.hosts,
  ...(isApart ? { RENDER_WORKERS: '1' } : {}),
})
if (isApart) await separate(service)
const figures = await measureOverload(service, {
  seconds,
  factors: [1, 5, 10],
  accountCount: 4,
  keyCount: 20,
  widthPx: 1000,
  yields: !isApart,
  artwork: process.argv[3] === 'upload' ? 'upload' : { urls: origin.urls },
})
console.table([
  { load: 'closed', 'goodput /s': figures.capacityPerSecond.toFixed(1), ...columnsOf(figures.capacityCost) },
  ...figures.levels.map(level => ({
    load: `${level.factor}x`,
    'offered /s': level.offeredPerSecond.toFixed(0),
    'goodput /s': level.goodputPerSecond.toFixed(1),
    'p50 ms': level.p50Ms.toFixed(0),
    'p99 ms': level.p99Ms.toFixed(0),
    '/healthz p50 ms': level.healthP50Ms.toFixed(1),
    'p99 ': level.healthP99Ms.toFixed(1),
    'max ': level.healthMaxMs.toFixed(1),
    ...columnsOf(level.cost),
    statuses: JSON.stringify(level.countByStatus),
  })),
])
const ledger = await service.command('ledger', 'verify')
// The peak of the open loops. The closed loop is no offered load: it waits for answers, so nothing is refused
// and nothing spent on refusals. Its ratio is printed for information.
const peak = Math.max(...figures.levels.map(level => level.goodputPerSecond))
const at = (factor: number): LoadLevel | undefined => figures.levels.find(level => level.factor === factor)
const bars: readonly (readonly [string, boolean])[] = [
  ['goodput at 10x is at least 80 % of the peak', (at(10)?.goodputPerSecond ?? 0) >= 0.8 * peak],
  ['p99 of accepted at 10x is at most 2.5 times that at 1x', (at(10)?.p99Ms ?? Infinity) <= 2.5 * (at(1)?.p99Ms ?? 0)],
  [
    'only 200, 429 and 503',
    figures.levels.every(({ countByStatus }) =>
      Object.keys(countByStatus).every(status => /^(200|429|503)$/.test(status)),
    ),
  ],
  ['/healthz under 50 ms all along', figures.levels.every(({ healthMaxMs }) => healthMaxMs < 50)],
  ['credits consumed are mockups delivered', figures.creditsConsumed === figures.mockupsDelivered],
]
for (const [bar, isHeld] of bars) console.log(`${isHeld ? 'holds' : 'FAILS'}  ${bar}`)
const ofPeak = (whole: number): string => `${((100 * (at(10)?.goodputPerSecond ?? 0)) / whole).toFixed(1)} %`
console.log(`goodput at 10x: ${ofPeak(peak)} of the peak, ${ofPeak(figures.capacityPerSecond)} of the closed loop`)
console.log(
  `delivered ${figures.mockupsDelivered}, consumed ${figures.creditsConsumed}, ledger ${JSON.stringify(ledger)}`,
)
if (bars.some(([, isHeld]) => !isHeld)) process.exitCode = 1

function columnsOf(cost: LoadCost): Record<string, string> {
  return {
    'CPU: service us/answer': (cost.serviceMsPerAnswer * 1000).toFixed(0),
    'client us/answer': (cost.clientMsPerAnswer * 1000).toFixed(0),
    'render ms/mockup': cost.renderMsPerMockup.toFixed(2),
    'all ms/mockup': cost.msPerMockup.toFixed(2),
  }
}

/** Puts the service with its render processes on the first core, and this process on the second. */
async function separate({ process: { pid } }: SpawnedService): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const pin = (id: number | string | undefined, core: string) =>
    promisify(execFile)('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(id)])
  await Promise.all([pid, ...children.split(' ').filter(Boolean)].map(id => pin(id, '0')))
  await pin(process.pid, '1')
}
