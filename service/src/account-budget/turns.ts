/** An account has reached its limit of waiting work. */
export class TurnsTakenError extends Error {
  override readonly name = 'TurnsTakenError'
}

type Waiting = { readonly owner: string; readonly begin: () => void }

type TurnLimits = {
  /** For all owners together. */
  readonly atOnce: number
  readonly atOncePerOwner: number
  /** Per owner; without it the caller must limit waiting work. */
  readonly waitingPerOwner?: number
}

/** Runs this node's work in call order, with limited concurrency overall and per owner. */
export class Turns {
  readonly #limits: TurnLimits
  readonly #underWay = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #running = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Runs the work when its turn comes. @throws TurnsTakenError */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { waitingPerOwner = Number.POSITIVE_INFINITY } = this.#limits
    if (this.#waiting.filter(each => each.owner === owner).length >= waitingPerOwner)
      throw new TurnsTakenError(`This account has ${waitingPerOwner} calls that wait.`)
    const turn = Promise.withResolvers<void>()
    this.#waiting.push({ owner, begin: turn.resolve })
    this.#beginNext()
    await turn.promise
    try {
      return await work()
    } finally {
      this.#count(owner, -1)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    const { atOnce, atOncePerOwner } = this.#limits
    if (this.#running >= atOnce) return
    const index = this.#waiting.findIndex(({ owner }) => (this.#underWay.get(owner) ?? 0) < atOncePerOwner)
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (!next) return
    this.#count(next.owner, 1)
    next.begin()
  }

  #count(owner: string, change: 1 | -1): void {
    this.#running += change
    const own = (this.#underWay.get(owner) ?? 0) + change
    if (own === 0) this.#underWay.delete(owner)
    else this.#underWay.set(owner, own)
  }
}
