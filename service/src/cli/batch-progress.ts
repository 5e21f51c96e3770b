import { counted } from '@vitrine/engine/counted'

/** Interval between lines if the error stream is not a terminal, in milliseconds. */
const LINE_EVERY_MS = 10_000

type State = {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly creditsUsed: number
  readonly creditsRemaining: number | null
}

/** Reports progress on the error stream: a line that is updated on a terminal, else occasional lines. */
export class BatchProgress {
  readonly #isTerminal = process.stderr.isTTY
  readonly #startedMs = performance.now()
  #firstDone: number | null = null
  #shownMs = 0
  #isOpen = false

  say(what: string): void {
    this.end()
    process.stderr.write(`${what}\n`)
  }

  show(state: State): void {
    const nowMs = performance.now()
    this.#firstDone ??= state.done
    if (!this.#isTerminal && nowMs - this.#shownMs < LINE_EVERY_MS && state.done + state.failed < state.total) return
    this.#shownMs = nowMs
    const line = this.#describe(state, nowMs)
    process.stderr.write(this.#isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
    this.#isOpen = this.#isTerminal
  }

  /** Ends the updated line. */
  end(): void {
    if (this.#isOpen) process.stderr.write('\n')
    this.#isOpen = false
  }

  #describe({ total, done, failed, creditsUsed, creditsRemaining }: State, nowMs: number): string {
    const perMs = (done - (this.#firstDone ?? 0)) / (nowMs - this.#startedMs)
    const left = total - done - failed
    return [
      `${done} of ${total}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      `${counted(creditsUsed, 'credit')} used`,
      ...(creditsRemaining === null ? [] : [`${creditsRemaining} left`]),
      ...(left > 0 && perMs > 0 ? [`about ${Math.ceil(left / perMs / 1000)} s more`] : []),
    ].join(', ')
  }
}
