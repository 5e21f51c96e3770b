/** Work in steps of some milliseconds. Between two of them its caller may wait, or give it up. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Called between two steps. A promise is waited for; a rejection gives the work up. */
export type Pause = () => Promise<void> | undefined

/** Does all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does all steps, with a pause after each. */
export async function runWithPauses<Result>(steps: Steps<Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
}
