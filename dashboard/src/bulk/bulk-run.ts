/** A bulk run: every artwork in every template, a few at a time, stopped at any moment. Pays only for what was finished. */
import { ApiError } from '../api.ts'
import { type MockupOutput, renderInFull } from '../mockups.ts'
import type { BulkTask } from './bulk-tasks.ts'

export type BulkOutcome =
  | { readonly kind: 'done'; readonly mockup: Blob }
  | { readonly kind: 'failed'; readonly message: string }

/** Why a run ended before everything was tried. */
export type BulkHalt = { readonly message: string; readonly isOutOfCredits: boolean }

const parallelRequests = 2
/** With the waits between them, longer than any minute's rate limit. */
const attempts = 6

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** What the interface calls retryable: trouble of the service or on the way to it, or it still works on what was asked before a reload. */
function isWorthAskingAgain({ status, code }: ApiError): boolean {
  return [0, 408, 429].includes(status) || status >= 500 || code === 'IDEMPOTENCY_CONFLICT'
}

/** Waits where the answer is another one in a while. */
async function renderPatiently(
  task: BulkTask,
  { runId, output, signal }: { runId: string; output: MockupOutput; signal: AbortSignal },
): Promise<Blob> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The same key for the same task: what a reload cut off, or a retry repeats, is not paid twice.
      const idempotencyKey = `${runId}-${task.index}`
      return (await renderInFull(task.templateId, [task.artwork], output, { signal, idempotencyKey })).blob
    } catch (error) {
      const isPassing = error instanceof ApiError && isWorthAskingAgain(error)
      if (!isPassing || attempt >= attempts || signal.aborted) throw error
      await sleep((error.retryAfterSeconds ?? 2 ** attempt) * 1000, signal)
      if (signal.aborted) throw error
    }
  }
}

/**
 * Runs the tasks and reports each outcome. Resolves when all are done, or the signal was aborted, or nothing more can be made: no credits
 * are left or nobody is signed in any more, which it answers.
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
        report(task, { kind: 'done', mockup: await renderPatiently(task, run) })
      } catch (error) {
        if (signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        if (error instanceof ApiError && (error.status === 401 || error.status === 402))
          halt = { message, isOutOfCredits: error.status === 402 }
        else report(task, { kind: 'failed', message })
      }
    }
  }
  await Promise.all(Array.from({ length: parallelRequests }, work))
  return halt
}
