/** What a mockup costs, and what follows from it; docs/scale.md has the sources of the figures. */

/** Default mockups (2,000 px) of new artwork of 3.3 MB, on two cores. */
export const costs = {
  /** Time of a render process that holds the template prepared; 34 mockups/s on two processes. */
  warmMs: 58.8,
  /** More, where the prepared template is read from the node's disk. */
  fileMs: 30,
  /** More, where the template is prepared. */
  coldMs: 230,
  /** The service's process, with PostgreSQL, Redis and S3. */
  serviceMs: 3,
  postgresMs: 1.6,
  postgresTransactions: 4,
  postgresKeptKb: 1.4,
  redisMs: 0.08,
  answerMb: 0.35,
  /** With an Idempotency-Key: the kept answer is put. */
  keyedS3Requests: 1,
} as const

/** List prices, in dollars. */
export const prices = { vcpuHour: 0.04, egressGb: 0.09, s3Request: 5 / 1_000_000 } as const

export const PROCESSES_PER_NODE = 2
export const CONNECTIONS_PER_NODE = 10

/** Of the render processes, at the mean rate: room for bursts. */
export const TARGET_USE = 0.7

export type Capacity = {
  readonly nodes: number
  readonly connections: number
  readonly postgresCores: number
  readonly transactionsPerSecond: number
  /** Of a million mockups; `egress` is what is answered. */
  readonly dollars: {
    readonly nodes: number
    readonly postgres: number
    readonly egress: number
    readonly keyed: number
  }
}

/** Shares of the mockups whose template no process holds: on the node's disk, and not prepared at all. */
export type Missing = { readonly fromFile: number; readonly cold: number }

const renderMs = ({ fromFile, cold }: Missing): number => costs.warmMs + fromFile * costs.fileMs + cold * costs.coldMs

/** Share of the time in which render processes work. */
export function expectedUse(perSecond: number, nodes: number, missing: Missing): number {
  return (perSecond * renderMs(missing)) / (1000 * nodes * PROCESSES_PER_NODE)
}

/** The nodes for a rate of default mockups, and what they need of the engines. */
export function planCapacity(perSecond: number, missing: Missing, keyedShare = 0): Capacity {
  const nodes = Math.max(1, Math.ceil(expectedUse(perSecond, 1, missing) / TARGET_USE))
  const vcpuSeconds = (ms: number) => (1_000_000 * ms) / 1000
  const dollarsOf = (ms: number) => (vcpuSeconds(ms) / 3600) * prices.vcpuHour
  return {
    nodes,
    connections: nodes * CONNECTIONS_PER_NODE,
    postgresCores: (perSecond * costs.postgresMs) / 1000,
    transactionsPerSecond: perSecond * costs.postgresTransactions,
    dollars: {
      nodes: dollarsOf(renderMs(missing) / TARGET_USE),
      postgres: dollarsOf(costs.postgresMs),
      egress: (1_000_000 * costs.answerMb * prices.egressGb) / 1000,
      keyed: 1_000_000 * keyedShare * costs.keyedS3Requests * prices.s3Request,
    },
  }
}
