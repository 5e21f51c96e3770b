/** East, west, south, north, south-east, north-west, north-east, south-west: `d` and `d ^ 1` are opposite. */
const columns = [1, -1, 0, 0, 1, -1, 1, -1] as const
const rows = [0, 0, 1, -1, 1, -1, -1, 1] as const
export const DIRECTIONS = 8

/** A node at the root of its tree; other values are the direction of a node's parent. */
const TERMINAL = 8
const NONE = 9

const FREE = 0
const SOURCE = 1
const SINK = 2

/** Offsets of the eight neighbours in a grid that is `widthPx` wide. */
export function neighborOffsets(widthPx: number): Int32Array {
  return Int32Array.from(columns, (column, d) => column + (rows[d] ?? 0) * widthPx)
}

/**
 * The minimum cut of a grid whose nodes have eight neighbours, by maximum flow with two search trees:
 * Y. Boykov, V. Kolmogorov, An Experimental Comparison of Min-Cut/Max-Flow Algorithms, 2004. Capacities are
 * whole numbers, so that the flow is exact and ends.
 *
 * `terminals`: above 0 the capacity from the source, below 0 that to the sink, per node; used up.
 * `capacities`: from node i in direction d at `8 i + d`, 0 beyond the rim of the grid; used up.
 * Returns 1 for the nodes on the source's side, which the source can still reach.
 */
export function minCut(widthPx: number, terminals: Int32Array, capacities: Int32Array): Uint8Array {
  return new GridFlow(widthPx, terminals, capacities).cut()
}

class GridFlow {
  readonly #offsets: Int32Array
  /** remaining capacities */
  readonly #terminals: Int32Array
  readonly #capacities: Int32Array
  readonly #trees: Uint8Array
  readonly #parents: Uint8Array
  /** steps to the terminal, valid in the round of `#stamps` */
  readonly #distances: Int32Array
  readonly #stamps: Int32Array
  /** active nodes, each at most once, in a ring */
  readonly #queue: Int32Array
  readonly #isQueued: Uint8Array
  #head = 0
  #tail = 0
  #round = 1
  readonly #orphans: number[] = []

  constructor(widthPx: number, terminals: Int32Array, capacities: Int32Array) {
    const count = terminals.length
    this.#offsets = neighborOffsets(widthPx)
    this.#terminals = terminals
    this.#capacities = capacities
    this.#trees = new Uint8Array(count)
    this.#parents = new Uint8Array(count).fill(NONE)
    this.#distances = new Int32Array(count)
    this.#stamps = new Int32Array(count)
    this.#queue = new Int32Array(count + 1)
    this.#isQueued = new Uint8Array(count)
  }

  cut(): Uint8Array {
    for (const [node, capacity] of this.#terminals.entries()) {
      if (capacity === 0) continue
      this.#trees[node] = capacity > 0 ? SOURCE : SINK
      this.#parents[node] = TERMINAL
      this.#distances[node] = 1
      this.#push(node)
    }
    for (let node = this.#next(); node >= 0; node = this.#next()) {
      const direction = this.#grow(node)
      if (direction < 0) {
        this.#pop(node)
        continue
      }
      this.#round++
      const met = node + (this.#offsets[direction] ?? 0)
      if (this.#trees[node] === SOURCE) this.#augment(node, met, direction)
      else this.#augment(met, node, direction ^ 1)
      for (let k = 0; k < this.#orphans.length; k++) this.#adopt(this.#orphans[k] ?? 0)
      this.#orphans.length = 0
    }
    return this.#trees.map(tree => (tree === SOURCE ? 1 : 0))
  }

  #push(node: number): void {
    if (this.#isQueued[node] === 1) return
    this.#isQueued[node] = 1
    this.#queue[this.#tail] = node
    this.#tail = (this.#tail + 1) % this.#queue.length
  }

  #pop(node: number): void {
    this.#isQueued[node] = 0
    this.#head = (this.#head + 1) % this.#queue.length
  }

  /** The first active node that is in a tree; -1: none. */
  #next(): number {
    while (this.#head !== this.#tail) {
      const node = this.#queue[this.#head] ?? 0
      if (this.#trees[node] !== FREE) return node
      this.#pop(node)
    }
    return -1
  }

  /** The remaining capacity from `node` in direction `d`, or in the opposite direction in the sink's tree. */
  #residual(node: number, d: number, tree: number): number {
    const at = tree === SOURCE ? node * DIRECTIONS + d : (node + (this.#offsets[d] ?? 0)) * DIRECTIONS + (d ^ 1)
    return this.#capacities[at] ?? 0
  }

  /** Adds free neighbours to the tree. Returns the direction of a neighbour in the other tree, or -1. */
  #grow(node: number): number {
    const tree = this.#trees[node] ?? FREE
    for (let d = 0; d < DIRECTIONS; d++) {
      if (this.#residual(node, d, tree) <= 0) continue
      const other = node + (this.#offsets[d] ?? 0)
      if (this.#trees[other] === FREE) {
        this.#trees[other] = tree
        this.#parents[other] = d ^ 1
        this.#stamps[other] = this.#stamps[node] ?? 0
        this.#distances[other] = (this.#distances[node] ?? 0) + 1
        this.#push(other)
      } else if (this.#trees[other] !== tree) return d
    }
    return -1
  }

  /** Augments the flow from the source through `from` and, along `direction`, `to`, to the sink. */
  #augment(from: number, to: number, direction: number): void {
    const bridge = from * DIRECTIONS + direction
    const flow = Math.min(this.#capacities[bridge] ?? 0, this.#bottleneck(from, SOURCE), this.#bottleneck(to, SINK))
    this.#capacities[bridge] = (this.#capacities[bridge] ?? 0) - flow
    this.#capacities[to * DIRECTIONS + (direction ^ 1)] =
      (this.#capacities[to * DIRECTIONS + (direction ^ 1)] ?? 0) + flow
    this.#send(from, SOURCE, flow)
    this.#send(to, SINK, flow)
  }

  #bottleneck(start: number, tree: number): number {
    let least = Infinity
    let node = start
    for (;;) {
      const parent = this.#parents[node] ?? NONE
      if (parent === TERMINAL) return Math.min(least, Math.abs(this.#terminals[node] ?? 0))
      const next = node + (this.#offsets[parent] ?? 0)
      least = Math.min(least, this.#residual(next, parent ^ 1, tree))
      node = next
    }
  }

  #send(start: number, tree: number, flow: number): void {
    let node = start
    for (;;) {
      const parent = this.#parents[node] ?? NONE
      if (parent === TERMINAL) {
        const left = (this.#terminals[node] ?? 0) + (tree === SOURCE ? -flow : flow)
        this.#terminals[node] = left
        if (left === 0) this.#orphan(node)
        return
      }
      const next = node + (this.#offsets[parent] ?? 0)
      const down = next * DIRECTIONS + (parent ^ 1)
      const up = node * DIRECTIONS + parent
      const [used, freed] = tree === SOURCE ? [down, up] : [up, down]
      const left = (this.#capacities[used] ?? 0) - flow
      this.#capacities[used] = left
      this.#capacities[freed] = (this.#capacities[freed] ?? 0) + flow
      if (left === 0) this.#orphan(node)
      node = next
    }
  }

  #orphan(node: number): void {
    this.#parents[node] = NONE
    this.#orphans.push(node)
  }

  /** Finds an orphan the parent nearest to the terminal in its tree, or frees it if there is none. */
  #adopt(node: number): void {
    const tree = this.#trees[node] ?? FREE
    let [best, least] = [NONE, Infinity]
    for (let d = 0; d < DIRECTIONS; d++) {
      const other = node + (this.#offsets[d] ?? 0)
      if (this.#trees[other] !== tree || this.#residual(other, d ^ 1, tree) <= 0) continue
      const distance = this.#distanceOf(other)
      if (distance < least) [best, least] = [d, distance]
    }
    if (best !== NONE) {
      this.#parents[node] = best
      this.#stamps[node] = this.#round
      this.#distances[node] = least + 1
      return
    }
    for (let d = 0; d < DIRECTIONS; d++) {
      const other = node + (this.#offsets[d] ?? 0)
      if (this.#trees[other] !== tree) continue
      if (this.#residual(other, d ^ 1, tree) > 0) this.#push(other)
      if (this.#parents[other] === (d ^ 1)) this.#orphan(other)
    }
    this.#trees[node] = FREE
  }

  /** Steps to the terminal; infinite if the path ends at an orphan. Stamps the nodes on the path. */
  #distanceOf(start: number): number {
    let node = start
    let steps = 0
    while (this.#stamps[node] !== this.#round) {
      const parent = this.#parents[node] ?? NONE
      if (parent === NONE) return Infinity
      if (parent === TERMINAL) {
        this.#stamps[node] = this.#round
        this.#distances[node] = 1
        break
      }
      steps++
      node += this.#offsets[parent] ?? 0
    }
    const total = steps + (this.#distances[node] ?? 0)
    node = start
    for (let distance = total; this.#stamps[node] !== this.#round; distance--) {
      this.#stamps[node] = this.#round
      this.#distances[node] = distance
      node += this.#offsets[this.#parents[node] ?? 0] ?? 0
    }
    return total
  }
}
