import type { RenderedMockup, RenderJob } from './render-job.ts'

/** What one mockup is thought to take before any was seen, in milliseconds. */
const FIRST_GUESS_MS = 400

/** How much a new figure moves the expectation: the last ten or so count. */
const WEIGHT = 0.2

/** Kinds of mockup that are remembered one by one; beyond that all share one figure. */
const MAX_KINDS = 1000

/** How long mockups have taken, to expect how long the next will. */
export class RenderTimes {
  readonly #msByKind = new Map<string, number>()
  #averageMs = FIRST_GUESS_MS

  /** What a mockup takes on average, in milliseconds. */
  get averageMs(): number {
    return this.#averageMs
  }

  /** Takes note of one finished mockup of a job, but for the preparation of its template: the next finds that done. */
  note(job: RenderJob, index: number, mockup: RenderedMockup): void {
    const preparationMs = mockup.stages.find(stage => stage.name === 'prepare')?.durationMs ?? 0
    const durationMs = Math.max(0, mockup.durationMs - preparationMs)
    this.#averageMs += WEIGHT * (durationMs - this.#averageMs)
    const kind = kindOf(job, index)
    const known = this.#msByKind.get(kind)
    if (known === undefined && this.#msByKind.size >= MAX_KINDS) return
    this.#msByKind.set(kind, known === undefined ? durationMs : known + WEIGHT * (durationMs - known))
  }

  /** The milliseconds that a job will keep a process busy, as far as experience goes. */
  expectedMs(job: RenderJob): number {
    return job.mockups.reduce((sum, _, index) => sum + (this.#msByKind.get(kindOf(job, index)) ?? this.#averageMs), 0)
  }
}

function kindOf(job: RenderJob, index: number): string {
  return `${job.mockups[index]?.bundle.key}/${job.output.widthPx}/${job.output.format}`
}
