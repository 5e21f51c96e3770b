/** The customer's artwork can't be used; the reason and the sentence are for the caller. */
export class ArtworkRejected extends Error {
  override readonly name = 'ArtworkRejected'
  /** One word, as the engine's list of artwork errors has it. */
  readonly reason: string
  /** The frame that the artwork was for, `null` when one artwork fills every frame. */
  readonly frameIndex: number | null

  constructor(reason: string, message: string, frameIndex: number | null) {
    super(message)
    this.reason = reason
    this.frameIndex = frameIndex
  }
}

/** A render process died, took too long or met a defect. The message is for the log, not for the caller. */
export class RenderFailed extends Error {
  override readonly name = 'RenderFailed'
}

/** The process was lost before it began this job: another may do it. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/** There is more work than can be done in time. Costs nothing; worth trying again. */
export class RenderBusy extends Error {
  override readonly name = 'RenderBusy'
  /** Whole seconds until it is worth trying again, at least 1. */
  readonly retryAfterS: number

  constructor(why: string, retryAfterMs: number) {
    // Thrown a thousand times a second where a thousand too many ask: a trace would be most of what it costs.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(why)
    Error.stackTraceLimit = limit
    this.retryAfterS = Math.min(30, Math.max(1, Math.ceil(retryAfterMs / 1000)))
  }
}
