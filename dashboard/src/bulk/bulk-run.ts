/** A bulk run: every artwork in every template, a few at a time, stopped at any moment. Pays only for what was finished. */
import { ApiError } from '../api.ts'
import { type MockupOutput, renderInFull } from '../mockups.ts'

export type BulkTask = { readonly artwork: File; readonly templateId: string; readonly fileName: string }
export type BulkFailure = { readonly task: BulkTask; readonly message: string }

export type BulkProgress = {
  readonly done: readonly { readonly task: BulkTask; readonly blob: Blob }[]
  readonly failed: readonly BulkFailure[]
  readonly total: number
  readonly running: boolean
  readonly stopped: boolean
}

const parallelRequests = 2
const attempts = 4

const stemOf = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_')
    .trim()
    .slice(0, 80) || 'artwork'

/** `artwork--template.jpg`; where two artworks have one name, the later ones get a number: names never collide, in any case of letters. */
export function buildTasks(
  artworks: readonly File[],
  templateIds: readonly string[],
  format: MockupOutput['format'],
): BulkTask[] {
  const taken = new Set<string>()
  const stems = artworks.map(artwork => {
    const stem = stemOf(artwork.name)
    let free = stem
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})`
    taken.add(free.toLowerCase())
    return free
  })
  const ending = format === 'jpeg' ? 'jpg' : 'png'
  return artworks.flatMap((artwork, index) =>
    templateIds.map(templateId => ({
      artwork,
      templateId,
      fileName: `${stems[index] ?? 'artwork'}--${templateId}.${ending}`,
    })),
  )
}

/** Waits where the service asks for patience: 429 and 503, a few times. */
async function renderPatiently(task: BulkTask, output: MockupOutput, signal: AbortSignal): Promise<Blob> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await renderInFull(task.templateId, task.artwork, output, signal)).blob
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503)
      if (!isBusy || attempt >= attempts || signal.aborted) throw error
      await new Promise(resolve => setTimeout(resolve, (error.retryAfterSeconds ?? 2 ** attempt) * 1000))
    }
  }
}

/** Runs the tasks and reports after each. Resolves when all are done or the signal was aborted. Out of credits stops the run. */
export async function runBulk(
  tasks: readonly BulkTask[],
  output: MockupOutput,
  signal: AbortSignal,
  report: (progress: BulkProgress) => void,
): Promise<void> {
  const done: { task: BulkTask; blob: Blob }[] = []
  const failed: BulkFailure[] = []
  const waiting = [...tasks]
  let outOfCredits = false
  const progress = (running: boolean): BulkProgress => ({
    done: [...done],
    failed: [...failed],
    total: tasks.length,
    running,
    stopped: signal.aborted || outOfCredits,
  })
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined && !signal.aborted && !outOfCredits; task = waiting.shift()) {
      try {
        done.push({ task, blob: await renderPatiently(task, output, signal) })
      } catch (error) {
        if (signal.aborted) return
        failed.push({ task, message: error instanceof Error ? error.message : String(error) })
        if (error instanceof ApiError && error.status === 402) outOfCredits = true
      }
      report(progress(true))
    }
  }
  report(progress(true))
  await Promise.all(Array.from({ length: parallelRequests }, work))
  report(progress(false))
}
