import type { RenderJob } from './render-job.ts'
import type { RenderedMockup } from './worker-messages.ts'

/** The expected time of a mockup before any has been rendered, in milliseconds. */
const FIRST_GUESS_MS = 400

/** Weight of a new time in the moving average. */
const WEIGHT = 0.2

/** Kinds of mockup with an average of their own; further kinds share one. */
const MAX_KINDS = 1000

/** Estimates the time of mockups from that of earlier ones. */
export class RenderTimes {
  readonly #msByKind = new Map<string, number>()
  #averageMs = FIRST_GUESS_MS

  /** The average over all mockups, in milliseconds. */
  get averageMs(): number {
    return this.#averageMs
  }

  /** Records a finished mockup, without its template's preparation, which is cached for the next one. */
  note(job: RenderJob, index: number, mockup: RenderedMockup): void {
    const preparationMs = mockup.stages.find(stage => stage.name === 'prepare')?.durationMs ?? 0
    const durationMs = Math.max(0, mockup.durationMs - preparationMs)
    this.#averageMs += WEIGHT * (durationMs - this.#averageMs)
    const kind = kindOf(job, index)
    const known = this.#msByKind.get(kind)
    if (known === undefined && this.#msByKind.size >= MAX_KINDS) return
    this.#msByKind.set(kind, known === undefined ? durationMs : known + WEIGHT * (durationMs - known))
  }

  /** How long a job is expected to occupy a process, in milliseconds. */
  expectedMs(job: RenderJob): number {
    return job.mockups.reduce((sum, _, index) => sum + (this.#msByKind.get(kindOf(job, index)) ?? this.#averageMs), 0)
  }
}

function kindOf(job: RenderJob, index: number): string {
  return `${job.mockups[index]?.bundle.key}/${job.output.widthPx}/${job.output.format}`
}
