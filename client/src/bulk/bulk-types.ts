import type { Artwork } from '../artwork.ts'
import type { BatchMockup } from '../mockup.ts'
import type { OutputOptions } from '../types.ts'
import type { Journal, Pair } from './journal.ts'

/** A customer's picture, to be rendered in many templates. */
export type Design = {
  /** Unique in the run; used in file names. */
  readonly id: string
  /** A function is called when the design's turn comes, and again for each request. */
  readonly artwork: Artwork | (() => Artwork | Promise<Artwork>)
  /** Replaces the run's templates. */
  readonly templates?: readonly string[] | undefined
  /**
   * Replaces the run's output options; a function is called when the design's turn comes. It is not recorded
   * in the journal.
   */
  readonly output?: DesignOutput | (() => DesignOutput | Promise<DesignOutput>) | undefined
}

/** The options that a design may override; format and size are the run's. */
export type DesignOutput = Pick<OutputOptions, 'placement' | 'placements' | 'colors'>

/** A mockup to be saved. */
export type Rendered = Pair & Omit<BatchMockup, 'template'> & { readonly extension: string }

/** Where mockups are saved. */
export type Saver = {
  /** The destination of a mockup, such as a file name. It must be unique, ignoring case. */
  readonly nameOf: (pair: Pair & { readonly extension: string }) => string
  /**
   * Resolves when the mockup is saved. If it rejects, the mockup counts as failed and the run continues; it
   * stops if the disk is full or nothing of several requests could be saved.
   */
  readonly save: (rendered: Rendered) => Promise<void> | void
}

export type RenderAllOptions = {
  readonly designs: Iterable<Design> | AsyncIterable<Design>
  /** Template ids; every design is rendered in each. */
  readonly templates?: readonly string[] | undefined
  /** Options of the finished pictures. */
  readonly output?: OutputOptions | undefined
  readonly save: Saver
  /** Records what is done, so that a later run with the same journal continues where this one ended. */
  readonly journal?: Journal | undefined
  /** Concurrent requests, of up to twelve mockups each; reduced while the service is busy. Default: 4. */
  readonly concurrency?: number | undefined
  /** The run stops before it would use more credits. */
  readonly maxCredits?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Aborts the run, which rejects with the signal's reason. What is done stays in the journal. */
  readonly signal?: AbortSignal | undefined
}

/** The progress of a run. */
export type Progress = {
  /** The total number of mockups. */
  readonly total: number
  /** Saved mockups, including those of earlier runs with the same journal. */
  readonly done: number
  readonly failed: number
  /** Credits used by this run. */
  readonly creditsUsed: number
  /** According to the last answer; null before the first. */
  readonly creditsRemaining: number | null
}

/** The result of a run. */
export type Summary = Progress & {
  readonly failures: readonly (Pair & { readonly error: unknown })[]
  /** Why the run stopped early: `maxCredits`, or an error that affects every mockup. Otherwise null. */
  readonly stopped: 'max-credits' | Error | null
}

/** What a run would require. */
export type Plan = {
  /** Mockups that are not done yet; each costs a credit. */
  readonly mockups: number
  readonly requests: number
  readonly creditsAvailable: number
}
