/** A discrete-event simulation of nodes behind a proxy: bursts, hot templates, slow origins. */
import { seededRandom } from '../../test/seeded-random.ts'
import { costs, type Missing, PROCESSES_PER_NODE } from './capacity-model.ts'

export type Balancing = 'least connections' | 'hash of the template, bounded load'

export type SimulatedLoad = {
  readonly nodes: number
  readonly perSecond: number
  readonly seconds: number
  readonly balancing: Balancing
  /** Templates that are in use; the n-th is asked for in proportion to 1/n. */
  readonly templates: number
  /** Prepared templates that a render process keeps. */
  readonly keptPerProcess: number
  /** Prepared templates that a node's disk keeps. */
  readonly keptPerDisk: number
  /** For a tenth of the time requests come so many times as often as in the rest. */
  readonly burstFactor: number
  /** Share of the downloads that take `slowOriginMs` instead of 50. */
  readonly slowOriginShare: number
  readonly slowOriginMs: number
  /** Mockups/s of one account that the wallet's row allows; a third of all requests are of one account. */
  readonly accountPerSecond: number
  readonly seed?: number
}

export type Simulated = {
  readonly delivered: number
  /** Answered 503: no place in the queue, or no time left. */
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly missing: Missing
  /** Work of the render processes for what arrived, by the time in which it arrived. */
  readonly use: number
  readonly accountUse: number
}

/** As the service: requests that may wait for a render process, and the time of a whole request. */
const QUEUE_LIMIT = 64
const REQUEST_BUDGET_MS = 28_000
const ORIGIN_MS = 50

/** The proxy sends a request past its node when that has so many times the mean of requests under way. */
const BOUND = 1.25

/** Bursts come once in so many milliseconds, and last a tenth of that. */
const BURST_PERIOD_MS = 10_000

const HOT_ACCOUNT_SHARE = 1 / 3

type Process = { readonly kept: number[]; busyMs: number; job: Job | null }
type Node = {
  readonly processes: Process[]
  readonly disk: number[]
  readonly waiting: Job[]
  underWay: number
  admitted: number
}
type Job = { readonly template: number; readonly arrivedMs: number; readonly node: Node }
type Event = { readonly atMs: number; readonly run: () => void }

export function simulateCluster(load: SimulatedLoad): Simulated {
  const random = seededRandom(load.seed ?? 1)
  const events = new EventQueue()
  const nodes: Node[] = Array.from({ length: load.nodes }, () => ({
    processes: Array.from({ length: PROCESSES_PER_NODE }, () => ({ kept: [], busyMs: 0, job: null })),
    disk: [],
    waiting: [],
    underWay: 0,
    admitted: 0,
  }))
  const shares = cumulateZipf(load.templates)
  const endMs = load.seconds * 1000
  const times: number[] = []
  let [nowMs, refused, rotation, underWay] = [0, 0, 0, 0]
  const found = { memory: 0, file: 0, nowhere: 0 }
  let [walletFreeMs, walletBusyMs] = [0, 0]

  const route = (template: number): Node => {
    if (load.balancing === 'least connections') {
      rotation += 1
      let best = at(nodes, rotation % nodes.length)
      for (let i = 1; i < nodes.length && best.underWay > 0; i++) {
        const other = at(nodes, (rotation + i) % nodes.length)
        if (other.underWay < best.underWay) best = other
      }
      return best
    }
    const bound = Math.ceil((BOUND * (underWay + 1)) / nodes.length)
    // Where the next nodes are full as well, the last that was asked takes it.
    let node = at(nodes, hash(template) % nodes.length)
    for (let i = 1; i < nodes.length && node.underWay >= bound; i++)
      node = at(nodes, (hash(template) + i) % nodes.length)
    return node
  }

  const leave = (job: Job, isDelivered: boolean): void => {
    job.node.underWay -= 1
    underWay -= 1
    if (isDelivered) times.push(nowMs - job.arrivedMs)
    else refused += 1
  }

  const dispatch = (node: Node): void => {
    for (const process of node.processes) {
      if (process.job !== null) continue
      const warm = node.waiting.findIndex(({ template }) => process.kept.includes(template))
      const [job] = node.waiting.splice(Math.max(0, warm), 1)
      if (job === undefined) return
      node.admitted -= 1
      const isOnDisk = use(node.disk, job.template, load.keptPerDisk)
      const place = use(process.kept, job.template, load.keptPerProcess) ? 'memory' : isOnDisk ? 'file' : 'nowhere'
      found[place] += 1
      const moreMs = { memory: 0, file: costs.fileMs, nowhere: costs.coldMs }[place]
      const tookMs = costs.warmMs * (0.7 + 0.6 * random()) + moreMs
      process.job = job
      process.busyMs += tookMs
      events.add(nowMs + tookMs, () => {
        process.job = null
        leave(job, nowMs - job.arrivedMs < REQUEST_BUDGET_MS)
        dispatch(node)
      })
    }
  }

  const arrive = (): void => {
    const asked = random()
    const template = shares.findIndex(share => share >= asked)
    const node = route(template)
    const job: Job = { template, arrivedMs: nowMs, node }
    node.underWay += 1
    underWay += 1
    if (node.admitted >= QUEUE_LIMIT) {
      leave(job, false)
      return
    }
    node.admitted += 1
    // One account's reservations wait for its wallet, one after another.
    let walletMs = 0
    if (random() < HOT_ACCOUNT_SHARE) {
      const heldMs = 1000 / load.accountPerSecond
      walletFreeMs = Math.max(walletFreeMs, nowMs) + heldMs
      walletBusyMs += heldMs
      walletMs = walletFreeMs - nowMs
    }
    const originMs = random() < load.slowOriginShare ? load.slowOriginMs : ORIGIN_MS
    events.add(nowMs + walletMs + originMs, () => {
      if (nowMs - job.arrivedMs > REQUEST_BUDGET_MS) {
        node.admitted -= 1
        leave(job, false)
        return
      }
      node.waiting.push(job)
      dispatch(node)
    })
  }

  const calmPerMs = load.perSecond / 1000 / (0.9 + 0.1 * load.burstFactor)
  const schedule = (): void => {
    const isBurst = nowMs % BURST_PERIOD_MS > 0.9 * BURST_PERIOD_MS
    const perMs = calmPerMs * (isBurst ? load.burstFactor : 1)
    events.add(nowMs - Math.log(1 - random()) / perMs, () => {
      if (nowMs > endMs) return
      arrive()
      schedule()
    })
  }
  schedule()
  for (let event = events.take(); event !== null; event = events.take()) {
    nowMs = event.atMs
    event.run()
  }
  times.sort((a, b) => a - b)
  const busyMs = nodes.flatMap(({ processes }) => processes).reduce((sum, process) => sum + process.busyMs, 0)
  const jobs = Math.max(1, found.memory + found.file + found.nowhere)
  const quantile = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return {
    delivered: times.length,
    refused,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    missing: { fromFile: found.file / jobs, cold: found.nowhere / jobs },
    use: busyMs / (endMs * load.nodes * PROCESSES_PER_NODE),
    accountUse: walletBusyMs / endMs,
  }
}

/** Uses a template: it becomes the last of those that are kept. Whether it was among them. */
function use(kept: number[], template: number, limit: number): boolean {
  const index = kept.indexOf(template)
  if (index >= 0) kept.splice(index, 1)
  kept.push(template)
  if (kept.length > limit) kept.shift()
  return index >= 0
}

/** For each template, the share of requests that are for it or one before it. */
function cumulateZipf(count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1))
  const sum = weights.reduce((all, weight) => all + weight)
  let before = 0
  return weights.map((weight, index) => {
    before += weight / sum
    return index === count - 1 ? 1 : before
  })
}

function hash(value: number): number {
  return Math.imul(value + 1, 0x9e3779b1) >>> 8
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError(`Expected an index below ${items.length} but received ${index}`)
  return item
}

/** A binary heap, earliest first. */
class EventQueue {
  readonly #heap: Event[] = []

  add(atMs: number, run: () => void): void {
    const heap = this.#heap
    const added = { atMs, run }
    let index = heap.length
    heap.push(added)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = at(heap, parent)
      if (above.atMs <= atMs) break
      heap[index] = above
      index = parent
    }
    heap[index] = added
  }

  take(): Event | null {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined) return null
    if (heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && at(heap, child + 1).atMs < at(heap, child).atMs) child += 1
      if (at(heap, child).atMs >= last.atMs) break
      heap[index] = at(heap, child)
      index = child
    }
    heap[index] = last
    return first
  }
}
