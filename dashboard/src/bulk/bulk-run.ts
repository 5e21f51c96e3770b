/**
 * A bulk run: every artwork in every template, a few at a time. It can be stopped; only finished mockups are
 * paid.
 */
import { ApiError } from '../api.ts'
import { type MockupOutput, renderPatiently } from '../mockups.ts'
import type { BulkTask } from './bulk-tasks.ts'

export type BulkOutcome =
  | { readonly kind: 'done'; readonly mockup: Blob }
  | { readonly kind: 'failed'; readonly message: string }

/** Why a run ended before everything was tried. */
export type BulkHalt = { readonly message: string; readonly isOutOfCredits: boolean }

const PARALLEL_REQUESTS = 2

/**
 * Runs the tasks and reports each outcome. Resolves when all are done, or the signal was aborted, or nothing
 * more can be made: no credits are left or nobody is signed in any more, which it answers.
 */
export async function runBulk(
  tasks: readonly BulkTask[],
  run: { runId: string; output: MockupOutput; signal: AbortSignal },
  report: (task: BulkTask, outcome: BulkOutcome) => void,
): Promise<BulkHalt | null> {
  const { signal } = run
  const waiting = [...tasks]
  let halt: BulkHalt | null = null
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined && !signal.aborted && halt === null; task = waiting.shift()) {
      try {
        // The same key for the same task: what a reload cut off, or a retry repeats, is not paid twice.
        const once = { signal, idempotencyKey: `${run.runId}-${task.index}` }
        const work = { artworks: [task.artwork], output: run.output }
        const { blob } = await renderPatiently(task.templateId, work, once)
        report(task, { kind: 'done', mockup: blob })
      } catch (error) {
        if (signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        if (error instanceof ApiError && (error.status === 401 || error.status === 402))
          halt = { message, isOutOfCredits: error.status === 402 }
        else report(task, { kind: 'failed', message })
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work))
  return halt
}
