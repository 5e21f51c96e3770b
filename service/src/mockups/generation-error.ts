import type { DownloadFault } from '../artwork-download/download-error.ts'
import { ExpectedError } from '../errors/expected-error.ts'
import type { FrameKey } from './frame-key.ts'

/** The expected failures of a generation, with their details. Any other error is a defect. */
type Failures = {
  /** Templates that don't exist for this account. */
  'templates-not-found': { readonly missingTemplateIds: readonly string[] }
  /** Frames of these templates for which the request has no artwork. */
  'frames-without-artwork': {
    readonly missingFrames: readonly { readonly templateId: string; readonly frames: readonly number[] }[]
  }
  /** Artwork or placements for frames that no template has. `frameCount` is the largest of a template. */
  'unknown-frames': {
    readonly what: 'artwork' | 'placements'
    readonly keys: readonly string[]
    readonly frameCount: number
    readonly slots: readonly string[]
  }
  /** Colours for areas that no requested template has. */
  'unknown-colors': { readonly unknown: readonly string[]; readonly known: readonly string[] }
  'insufficient-credits': { readonly requiredCredits: number; readonly spendableCredits: number }
  /** `frame` is null if the same artwork fills every frame. */
  'artwork-not-fetched': { readonly fault: DownloadFault; readonly frame: FrameKey | null }
  /** The file is not a usable image. `reason` is an identifier; `message` and `hint` are sentences. */
  'artwork-rejected': {
    readonly reason: string
    readonly message: string
    readonly hint?: string | undefined
    readonly frame: FrameKey | null
  }
  /** An identical request with this idempotency key is in progress. */
  'idempotency-conflict': unknown
  /** The idempotency key belongs to a different request. */
  'idempotency-mismatch': unknown
  /** The service is overloaded. Retry after this many whole seconds. */
  busy: { readonly retryAfterS: number }
  /** A render process died, timed out or hit a defect. The error's message is for the log. */
  'render-failed': unknown
}

export type FailureKind = keyof Failures

/** Why a generation failed: a single kind, or a union of kinds. */
export type GenerationFailure<Kind extends FailureKind = FailureKind> = {
  readonly [K in Kind]: { readonly kind: K } & Failures[K]
}[Kind]

/** A generation that ended in an expected failure. Only http/ maps it to an answer. */
export class GenerationError extends ExpectedError {
  override readonly name = 'GenerationError'
  readonly failure: GenerationFailure

  /** @param message for the log */
  constructor(failure: GenerationFailure, message: string = failure.kind) {
    super(message)
    this.failure = failure
  }

  get kind(): FailureKind {
    return this.failure.kind
  }
}

/** @param waitMs the expected wait; the caller is told 1 to 30 s */
export function renderBusy(why: string, waitMs: number): GenerationError {
  const retryAfterS = Math.min(30, Math.max(1, Math.ceil(waitMs / 1000)))
  return new GenerationError({ kind: 'busy', retryAfterS }, why)
}

export function renderFailed(why: string): GenerationError {
  return new GenerationError({ kind: 'render-failed' }, why)
}
