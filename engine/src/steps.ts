/** Work in steps of a few milliseconds. Between steps, its caller may wait, or abandon it. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Called between two steps. A promise is awaited; a rejection abandons the work. */
export type Pause = () => Promise<void> | undefined

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs all steps, with a pause after each. */
export async function runWithPauses<Result>(steps: Steps<Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const waiting = pause()
    if (waiting !== undefined) await waiting
  }
}
