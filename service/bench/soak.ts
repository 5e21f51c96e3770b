/**
 * Memory over thousands of mockups: kept-alive connections and twenty kinds of requests, valid and invalid.
 *
 *   node service/bench/soak.ts [mockups, default 5000]
 *
 * Prints the memory of the HTTP process and of every render process as it goes, and the verdict. Level: the
 * median of the run's last third is at most 15 % above that of its middle third. Ends with code 1 where
 * something grows.
 */
import { measureSoak, type SoakSample } from './measure-soak.ts'
import { startArtworkOrigin } from './mockup-load.ts'
import { spawnService } from './spawned-service.ts'

const wanted = Number(process.argv[2] ?? 5000)
const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0).padStart(6)
console.log('mockups  requests  HTTP process MiB (heap)  files  folders  render processes MiB')
using origin = await startArtworkOrigin()
await using service = await spawnService({
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_DAY: '100000000',
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1000000',
  ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.hosts,
})
const { samples, statuses, lostProcesses, mockups, creditsConsumed } = await measureSoak(
  service,
  origin.urls[0] ?? '',
  wanted,
  sample =>
    console.log(
      `${String(sample.mockups).padStart(7)}  ${String(sample.requests).padStart(8)}  ${mib(sample.serviceBytes)} (${mib(sample.heapBytes)})  ` +
        `${String(sample.openFiles).padStart(12)}  ${String(sample.folders).padStart(7)}  ${sample.renderBytes.map(mib).join(' ')}`,
    ),
)
console.table(Object.fromEntries([...statuses].map(([kind, count]) => [kind, { answers: count }])))

const settled = samples.slice(0, -1)
const third = Math.floor(settled.length / 3)
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
/** A heap below this size is level: what the collector has not freed yet varies by more than 15 %. */
const SMALL_HEAP_BYTES = 128 * 2 ** 20
function isLevel(name: string, read: (sample: SoakSample) => number, smallBytes = 0): boolean {
  const middle = median(settled.slice(third, 2 * third).map(read))
  const last = median(settled.slice(2 * third).map(read))
  const verdict = last <= Math.max(1.15 * middle, smallBytes)
  console.log(
    `${verdict ? 'level ' : 'GROWS '} ${name}: ${mib(middle)} MiB in the middle third, ${mib(last)} MiB in the last`,
  )
  return verdict
}
const levels = [
  isLevel('HTTP process, resident', sample => sample.serviceBytes),
  isLevel('HTTP process, heap in use', sample => sample.heapBytes, SMALL_HEAP_BYTES),
  isLevel('largest render process', sample => Math.max(...sample.renderBytes)),
  isLevel('all render processes', sample => sample.renderBytes.reduce((sum, bytes) => sum + bytes, 0)),
]
const isTidy = (samples.at(-1)?.folders ?? 1) === 0 && lostProcesses === 0 && mockups === creditsConsumed
console.log(
  `folders left ${samples.at(-1)?.folders}, processes lost ${lostProcesses}, delivered ${mockups}, charged ${creditsConsumed}`,
)
if (!isTidy || levels.includes(false)) process.exitCode = 1
