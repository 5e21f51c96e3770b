/**
 * The capacity model of docs/scale.md beside a simulation of it, for up to 100 nodes.
 *
 *   node service/bench/simulate-scale.ts [seconds, default 60] [mockups/s of one account, default 1000]
 *
 * Simulated are bursts of three times the rate, 200 templates of which a few are asked for often, 12 of them
 * prepared in each process and 46 on each disk (PREPARED_CACHE_MIB, 22 MB each), and slow origins: 1 % of the
 * downloads take 10 s.
 */
import { expectedUse, planCapacity } from './scale/capacity-model.ts'
import { type Balancing, simulateCluster } from './scale/simulate-cluster.ts'

const seconds = Number(process.argv[2] ?? 60)
const accountPerSecond = Number(process.argv[3] ?? 1000)
const balancings: readonly Balancing[] = ['least connections', 'hash of the template, bounded load']
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

console.log('The model, for default mockups:')
console.table(
  [10, 1_000, 10_000].flatMap(perSecond =>
    [0, 0.5].map(fromFile => {
      const { nodes, connections, postgresCores, transactionsPerSecond, dollars } = planCapacity(
        perSecond,
        { fromFile, cold: 0 },
        0.1,
      )
      return {
        'mockups /s': perSecond,
        'from the disk': percent(fromFile),
        nodes,
        connections,
        'PostgreSQL cores': postgresCores.toFixed(1),
        'transactions /s': transactionsPerSecond,
        '$ nodes': dollars.nodes.toFixed(2),
        '$ PostgreSQL': dollars.postgres.toFixed(2),
        '$ egress': dollars.egress.toFixed(1),
        '$ keyed, 10 %': dollars.keyed.toFixed(2),
      }
    }),
  ),
)
console.log('The simulation:')
console.table(
  [
    [1, 10],
    [4, 60],
    [10, 200],
    [34, 700],
    [100, 2_000],
  ].flatMap(([nodes = 1, perSecond = 1]) =>
    balancings.map(balancing => {
      const figures = simulateCluster({
        nodes,
        perSecond,
        seconds,
        balancing,
        templates: 200,
        keptPerProcess: 12,
        keptPerDisk: 46,
        burstFactor: 3,
        slowOriginShare: 0.01,
        slowOriginMs: 10_000,
        accountPerSecond,
      })
      return {
        nodes,
        'mockups /s': perSecond,
        balancing: balancing.split(' ')[0],
        refused: percent(figures.refused / (figures.refused + figures.delivered)),
        'p50 ms': figures.p50Ms.toFixed(0),
        'p99 ms': figures.p99Ms.toFixed(0),
        'from the disk': percent(figures.missing.fromFile),
        'not prepared': percent(figures.missing.cold),
        'in use': percent(figures.use),
        'in use, by the model': percent(expectedUse(figures.delivered / seconds, nodes, figures.missing)),
        'wallet of one account': percent(figures.accountUse),
      }
    }),
  ),
)
