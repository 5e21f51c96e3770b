import { Turns } from '../account-budget/turns.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { BUSY_RETRY_AFTER_S, IMPORTS_PER_ACCOUNT, IMPORTS_UNDER_WAY, INSPECTIONS_AT_ONCE } from './limits.ts'

/** No import can be admitted now; the message has the reason. */
export class ImportsBusyError extends OperatorError {
  override readonly name = 'ImportsBusyError'
  readonly retryAfterS = BUSY_RETRY_AFTER_S
}

/** Limits this node's concurrent imports, and decides whose bundle is inspected next. */
export class ImportQueue {
  readonly #underWay = new Map<string, number>()
  readonly #turns = new Turns({ atOnce: INSPECTIONS_AT_ONCE, atOncePerOwner: 1 })

  /** Admits an import before its body is read. Disposing ends it. @throws ImportsBusyError */
  admit(owner: string): Disposable {
    const own = this.#underWay.get(owner) ?? 0
    const all = this.#underWay.values().reduce((sum, count) => sum + count, 0)
    if (own >= IMPORTS_PER_ACCOUNT)
      throw new ImportsBusyError(`This account has ${own} imports in progress: wait for them.`)
    if (all >= IMPORTS_UNDER_WAY) throw new ImportsBusyError(`This service has ${all} imports in progress.`)
    this.#underWay.set(owner, own + 1)
    return {
      [Symbol.dispose]: () => {
        const left = (this.#underWay.get(owner) ?? 1) - 1
        if (left === 0) this.#underWay.delete(owner)
        else this.#underWay.set(owner, left)
      },
    }
  }

  /** Runs an inspection when its turn comes: one bundle of an owner at a time, in call order. */
  inspect<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(owner, work)
  }
}
