/** The tasks of a rendering run, which are saved in the browser too. */
import type { MockupWork, TemplateVersion } from './mockups.ts'

export type RenderTask = {
  /** Identifies the scene with its artwork in the gallery. */
  readonly tile: string
  readonly template: TemplateVersion
  readonly work: MockupWork
  /** The label of its size. */
  readonly size: string
  readonly name: string
  /** Identifies the run it belongs to. */
  readonly run: string
  /** Its Idempotency-Key, made once: a repeated request is not charged again. */
  readonly key: string
}

export type TaskState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'rendering' }
  /** Requested, but the page was closed or the run stopped before the answer arrived. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'done'; readonly credits: number }
  | { readonly kind: 'failed'; readonly message: string }

export type RunCounts = Readonly<Record<TaskState['kind'], number>> & {
  /** Neither done nor failed. */
  readonly left: number
  readonly credits: number
}

export function countTasks(states: readonly TaskState[]): RunCounts {
  const counts = { waiting: 0, rendering: 0, unknown: 0, done: 0, failed: 0 }
  let credits = 0
  for (const state of states) {
    counts[state.kind]++
    if (state.kind === 'done') credits += state.credits
  }
  return { ...counts, left: states.length - counts.done - counts.failed, credits }
}
