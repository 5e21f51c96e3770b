import type { Artwork } from '../artwork.ts'
import type { BatchMockup } from '../mockup.ts'
import type { OutputOptions } from '../types.ts'
import type { Journal, Pair } from './journal.ts'

/** One customer's picture, to be rendered into many templates. */
export type Design = {
  /** Unique in the run; names its files. */
  readonly id: string
  /** A function is called when its turn comes, and again for each request. */
  readonly artwork: Artwork | (() => Artwork | Promise<Artwork>)
  /** In place of the run's. */
  readonly templates?: readonly string[] | undefined
  /** In place of the run's; a function is called when its turn comes. The journal does not have it. */
  readonly output?: DesignOutput | (() => DesignOutput | Promise<DesignOutput>) | undefined
}

/** The options that a design may have of its own; format and size are the run's. */
export type DesignOutput = Pick<OutputOptions, 'placement' | 'placements' | 'colors'>

/** A mockup that is to be saved. */
export type Rendered = Pair & Omit<BatchMockup, 'template'> & { readonly extension: string }

/** Where mockups go. */
export type Saver = {
  /** Where a mockup goes, such as its file's name. No two may have the same, whatever their capitals. */
  readonly nameOf: (pair: Pair & { readonly extension: string }) => string
  /**
   * Resolves when the mockup is saved. One that cannot be saved is a failure, and the run goes on; where the
   * disk is full or none of several requests could be saved, the run stops.
   */
  readonly save: (rendered: Rendered) => Promise<void> | void
}

export type RenderAllOptions = {
  readonly designs: Iterable<Design> | AsyncIterable<Design>
  /** Ids; every design is rendered into each. */
  readonly templates?: readonly string[] | undefined
  /** What the pictures are like. */
  readonly output?: OutputOptions | undefined
  readonly save: Saver
  /** Remembers what is done, so that a run with the same journal goes on where this one ended. */
  readonly journal?: Journal | undefined
  /** Requests at a time, of up to twelve mockups each; fewer where the service is busy. Default: 4. */
  readonly concurrency?: number | undefined
  /** The run stops before it would use more. */
  readonly maxCredits?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Ends the run at once; it rejects with the signal's reason. What is done stays in the journal. */
  readonly signal?: AbortSignal | undefined
}

/** How far a run is. */
export type Progress = {
  /** Mockups in all. */
  readonly total: number
  /** Saved, those of earlier runs with the same journal included. */
  readonly done: number
  readonly failed: number
  /** By this run. */
  readonly creditsUsed: number
  /** As the last answer said it; null before the first. */
  readonly creditsRemaining: number | null
}

/** How a run ended. */
export type Summary = Progress & {
  readonly failures: readonly (Pair & { readonly error: unknown })[]
  /** Why the run stopped before its end: `maxCredits`, or what would fail for every mockup. Else null. */
  readonly stopped: 'max-credits' | Error | null
}

/** What a run would take. */
export type Plan = {
  /** Mockups that are not done yet; each costs a credit. */
  readonly mockups: number
  readonly requests: number
  readonly creditsAvailable: number
}
