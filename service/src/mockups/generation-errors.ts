import type { DownloadFault } from '../artwork-download/download-error.ts'

/** Templates that don't exist for this account. */
export class TemplatesNotFound extends Error {
  override readonly name = 'TemplatesNotFound'
  readonly missingTemplateIds: readonly string[]

  constructor(missingTemplateIds: readonly string[]) {
    super('Templates were not found')
    this.missingTemplateIds = missingTemplateIds
  }
}

/** Artwork that was given by frame, and does not reach every frame of every template. */
export class FramesWithoutArtwork extends Error {
  override readonly name = 'FramesWithoutArtwork'
  readonly missingFrames: readonly { readonly templateId: string; readonly frames: readonly number[] }[]

  constructor(missingFrames: FramesWithoutArtwork['missingFrames']) {
    super('Frames have no artwork')
    this.missingFrames = missingFrames
  }
}

/** Artwork for frames that none of the templates has. */
export class UnknownFrames extends Error {
  override readonly name = 'UnknownFrames'
  readonly keys: readonly string[]
  /** The most frames that one of the templates has. */
  readonly frameCount: number

  constructor(keys: readonly string[], frameCount: number) {
    super('Artwork is for frames that no template has')
    this.keys = keys
    this.frameCount = frameCount
  }
}

/** The wallet holds less than the request costs. */
export class InsufficientCredits extends Error {
  override readonly name = 'InsufficientCredits'
  readonly requiredCredits: number
  readonly spendableCredits: number

  constructor(requiredCredits: number, spendableCredits: number) {
    super('The wallet holds too little')
    this.requiredCredits = requiredCredits
    this.spendableCredits = spendableCredits
  }
}

/** An artwork that could not be had from its URL. */
export class ArtworkNotFetched extends Error {
  override readonly name = 'ArtworkNotFetched'
  readonly fault: DownloadFault
  /** The frame that it was for; `null` when one artwork fills every frame. */
  readonly frameIndex: number | null

  constructor(fault: DownloadFault, frameIndex: number | null) {
    super(`Artwork could not be fetched: ${fault.kind}`)
    this.fault = fault
    this.frameIndex = frameIndex
  }
}

/** An equal request with this idempotency key is under way. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict'
}

/** The idempotency key belongs to another request. */
export class IdempotencyMismatch extends Error {
  override readonly name = 'IdempotencyMismatch'
}
