import type { DownloadFault } from '../artwork-download/download-error.ts'
import { ExpectedError } from '../errors/expected-error.ts'
import type { FrameKey } from './frame-key.ts'

/** The expected failures of a generation and what is known of each. Any other error is a defect. */
type Failures = {
  /** Templates that don't exist for this account. */
  'templates-not-found': { readonly missingTemplateIds: readonly string[] }
  /** Artwork that was given by frame leaves frames of these templates empty. */
  'frames-without-artwork': {
    readonly missingFrames: readonly { readonly templateId: string; readonly frames: readonly number[] }[]
  }
  /** Artwork or placements for frames that no template has. `frameCount` is the most that one of them has. */
  'unknown-frames': {
    readonly what: 'artwork' | 'placements'
    readonly keys: readonly string[]
    readonly frameCount: number
    readonly slots: readonly string[]
  }
  /** Colours for areas that no template of the request has. */
  'unknown-colors': { readonly unknown: readonly string[]; readonly known: readonly string[] }
  'insufficient-credits': { readonly requiredCredits: number; readonly spendableCredits: number }
  /** The download failed. `frame` is null when one artwork fills every frame. */
  'artwork-not-fetched': { readonly fault: DownloadFault; readonly frame: FrameKey | null }
  /** The file is no usable picture. `reason` is one word, `message` and `hint` are sentences. */
  'artwork-rejected': {
    readonly reason: string
    readonly message: string
    readonly hint?: string | undefined
    readonly frame: FrameKey | null
  }
  /** An equal request with this idempotency key is under way. */
  'idempotency-conflict': unknown
  /** The idempotency key belongs to another request. */
  'idempotency-mismatch': unknown
  /** More work than can be done in time. It may be tried again after these whole seconds. */
  busy: { readonly retryAfterS: number }
  /** A render process died, took too long or met a defect. The error's message is for the log. */
  'render-failed': unknown
}

export type FailureKind = keyof Failures

/** Why a generation failed: one kind, or a union of kinds. */
export type GenerationFailure<Kind extends FailureKind = FailureKind> = {
  readonly [K in Kind]: { readonly kind: K } & Failures[K]
}[Kind]

/** The expected end of a generation without mockups. No layer but http/ knows how it is answered. */
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

/** @param waitMs until it is worth trying again; the caller is told 1 to 30 s */
export function renderBusy(why: string, waitMs: number): GenerationError {
  const retryAfterS = Math.min(30, Math.max(1, Math.ceil(waitMs / 1000)))
  return new GenerationError({ kind: 'busy', retryAfterS }, why)
}

export function renderFailed(why: string): GenerationError {
  return new GenerationError({ kind: 'render-failed' }, why)
}
