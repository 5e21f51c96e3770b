/**
 * Four nodes behind HAProxy on PostgreSQL, Redis and S3, while each of them is killed, frozen or broken in
 * turn; one node's clock is two minutes ahead.
 *
 *   node service/bench/chaos.ts [minutes, default 10] [words of the faults to make, default all]
 *
 * Customers make mockups in every way that the interface has. Every answer must be 200, the caller's own
 * fault, 429 or 503, within 30 s; every picture the expected one; every replay identical; credits consumed
 * those of acknowledged answers. Needs `haproxy` and `redis-server`. Ends with code 1 where a promise breaks.
 */

import { chaosFaults } from './chaos/chaos-faults.ts'
import { runChaos } from './chaos/run-chaos.ts'

const minutes = Number(process.argv[2] ?? 10)
const words = process.argv.slice(3)
const faults = chaosFaults.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
const startedMs = performance.now()
const report = await runChaos({
  seconds: minutes * 60,
  isShort: minutes < 5,
  faults,
  onPhase: name => console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${name}`),
})
console.table(
  [...report.phases].map(([phase, { statuses, slowestMs }]) => ({
    phase,
    'slowest s': (slowestMs / 1000).toFixed(1),
    answers: [...statuses].map(([status, count]) => `${count} of ${status}`).join(', '),
  })),
)
console.table(report.limits)
console.table(report.accounts)
console.log(`${report.pictures} pictures compared, ${report.replays} replays compared`)
for (const fault of report.faults.slice(0, 100)) console.log(`FAILS  ${fault}`)
console.log(report.faults.length === 0 ? 'Every promise was kept.' : `${report.faults.length} faults`)
if (report.faults.length > 0) process.exitCode = 1
