import { BUSY_RETRY_AFTER_S, IMPORTS_PER_ACCOUNT, IMPORTS_UNDER_WAY, INSPECTIONS_AT_ONCE } from './limits.ts'

/** No import can be admitted now, for the reason in the message. */
export class ImportsBusyError extends Error {
  override readonly name = 'ImportsBusyError'
  readonly retryAfterS = BUSY_RETRY_AFTER_S
}

type Waiting = { readonly owner: string; readonly begin: () => void }

/** Imports of this node: how many are under way, and whose bundle is inspected next. */
export class ImportQueue {
  readonly #underWay = new Map<string, number>()
  readonly #inspecting = new Set<string>()
  readonly #waiting: Waiting[] = []

  /** Admits an import before its body is read. The lease ends with it. @throws ImportsBusyError */
  admit(owner: string): Disposable {
    const own = this.#underWay.get(owner) ?? 0
    const all = this.#underWay.values().reduce((sum, count) => sum + count, 0)
    if (own >= IMPORTS_PER_ACCOUNT)
      throw new ImportsBusyError(`This account has ${own} imports under way: wait for them.`)
    if (all >= IMPORTS_UNDER_WAY) throw new ImportsBusyError(`This service has ${all} imports under way.`)
    this.#underWay.set(owner, own + 1)
    return {
      [Symbol.dispose]: () => {
        const left = (this.#underWay.get(owner) ?? 1) - 1
        if (left === 0) this.#underWay.delete(owner)
        else this.#underWay.set(owner, left)
      },
    }
  }

  /** Inspects when its turn has come: one bundle of an owner at a time, in the order of the calls. */
  async inspect<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.withResolvers<void>()
    this.#waiting.push({ owner, begin: turn.resolve })
    this.#beginNext()
    await turn.promise
    try {
      return await work()
    } finally {
      this.#inspecting.delete(owner)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    if (this.#inspecting.size >= INSPECTIONS_AT_ONCE) return
    const index = this.#waiting.findIndex(({ owner }) => !this.#inspecting.has(owner))
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (!next) return
    this.#inspecting.add(next.owner)
    next.begin()
  }
}
