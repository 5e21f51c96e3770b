import type { DecodedBy } from '@vitrine/engine'
import type { ArtworkDownload } from '../artwork-download/artwork-download.ts'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import type { Idempotency, KeptAnswer } from '../idempotency/idempotency.ts'
import type { Place } from './admissions.ts'
import { type FrameArtwork, fetchArtworks } from './fetch-artworks.ts'
import {
  IdempotencyConflict,
  IdempotencyMismatch,
  InsufficientCredits,
  TemplatesNotFound,
} from './generation-errors.ts'
import { REQUEST_BUDGET_MS } from './limits.ts'
import { matchFrames, type RequestArtwork } from './match-frames.ts'
import type { PrivateFolder } from './private-folders.ts'
import type { JobOutput, RenderedMockup, TemplateBundle } from './render-job.ts'
import type { RenderPool } from './render-pool.ts'

/** A template that was found for an account. */
export type FoundTemplate = {
  readonly id: string
  /** One for each frame. */
  readonly aspectRatios: readonly number[]
}

/** What a generation needs of the templates. */
export interface TemplateFinder {
  /** Those of the ids that exist for the account, each once. */
  find(ids: readonly string[], accountId: string): Promise<ReadonlyMap<string, FoundTemplate>>
  /** A folder on the local disk with the files of a template that was found, and a key that names this very version. */
  localBundle(template: FoundTemplate): Promise<TemplateBundle>
}

/** What makes a request's answer be kept, and delivered again without a charge when the same request comes again. */
export type KeepRequest = {
  /** The `Idempotency-Key` of the request. */
  readonly key: string
  /** SHA-256 over the parsed parameters and the uploaded bytes. */
  readonly requestHash: string
  /** Stores the answer's body, when the mockups are complete and before they are paid for. */
  readonly store: (work: CompleteWork) => Promise<KeptAnswer>
  /** Takes a body back whose charge failed. */
  readonly discard: (kept: KeptAnswer) => Promise<void>
}

/** One request to generate mockups, its parameters checked. */
export type GenerationRequest = {
  readonly accountId: string
  /** `null` for a render in the dashboard. */
  readonly keyId: string | null
  readonly requestId: string
  /** In the order of the request; an id may come twice, and is then rendered and charged twice. */
  readonly templateIds: readonly string[]
  readonly artwork: RequestArtwork
  readonly output: JobOutput
  /** The request's private folder: artwork comes here, and the mockups stay here until it is removed. */
  readonly folder: PrivateFolder
  /** The request's place in the queue. */
  readonly place: Place
  readonly keep?: KeepRequest | undefined
}

/** A mockup that is finished, and where it is. */
export type GeneratedMockup = RenderedMockup & { readonly templateId: string; readonly file: string }

/** Mockups that are complete. */
export type CompleteWork = {
  /** In the order of the request's template ids. */
  readonly mockups: readonly GeneratedMockup[]
  /** Time of the render alone, after the artwork had arrived, in whole milliseconds. */
  readonly durationMs: number
  readonly stages: readonly GenerationStage[]
  /** Who decoded each artwork of each mockup. */
  readonly decodedBy: readonly DecodedBy[]
}

/** A part of the time; `decode` lies within `render`. */
export type GenerationStage = {
  readonly name: string
  readonly durationMs: number
  /** How it was done, in a word or two. */
  readonly description?: string
}

/** Mockups that are complete and paid for. */
export type Generation = CompleteWork & {
  readonly kind: 'generated'
  readonly creditsUsed: number
  /** What the account can spend after this. */
  readonly spendableCredits: number
}

/** The answer of an earlier, equal request. */
export type Replay = { readonly kind: 'replay'; readonly kept: KeptAnswer }

/** Told what became of a request's credits, for counting. */
export type CreditObserver = (credits: { readonly consumed: number; readonly refunded: number }) => void

/** How long after the last moment of a request its reservation may be swept: nobody can be working on it any more. */
const RESERVATION_SLACK_MS = 60_000

/**
 * A generation from checked parameters to a settled charge: claim the idempotency key, find the templates, match the frames, reserve,
 * fetch, render, settle. The first step that fails ends it; what was reserved is given back, once, and the key is free again.
 *
 * All or nothing: a batch of which one mockup fails costs nothing and gives nothing. The charge settles when the last picture is
 * complete and the client is still there; what comes after that is delivery.
 */
export class MockupGenerator {
  readonly #templates: TemplateFinder
  readonly #wallet: Wallet
  readonly #idempotency: Idempotency
  readonly #download: ArtworkDownload
  readonly #pool: RenderPool
  readonly #onCleanUpFailed: (error: unknown) => void
  readonly #clock: Clock

  constructor(services: {
    readonly templates: TemplateFinder
    readonly wallet: Wallet
    readonly idempotency: Idempotency
    readonly download: ArtworkDownload
    readonly pool: RenderPool
    /** Told when credits could not be given back, or a key not be freed, at once; the sweepers will. */
    readonly onCleanUpFailed?: (error: unknown) => void
    readonly clock?: Clock
  }) {
    this.#templates = services.templates
    this.#wallet = services.wallet
    this.#idempotency = services.idempotency
    this.#download = services.download
    this.#pool = services.pool
    this.#onCleanUpFailed = services.onCleanUpFailed ?? (() => undefined)
    this.#clock = services.clock ?? Date.now
  }

  /**
   * Generates the mockups of one request, or finds the kept answer of an equal one.
   *
   * @param signal aborts when the client has gone: the work is dropped, the credits come back, and its reason is thrown
   * @throws IdempotencyConflict, IdempotencyMismatch, TemplatesNotFound, UnknownFrames, FramesWithoutArtwork, InsufficientCredits,
   *   ArtworkNotFetched, ArtworkRejected, RenderBusy or RenderFailed
   */
  async generate(
    request: GenerationRequest,
    signal: AbortSignal,
    onCredits: CreditObserver = () => undefined,
  ): Promise<Generation | Replay> {
    const { keep, accountId } = request
    if (keep === undefined) return this.#charge(request, signal, onCredits)
    const { key, requestHash } = keep
    const begun = await this.#idempotency.begin({ accountId, key, requestHash })
    switch (begun.outcome) {
      case 'replay':
        return { kind: 'replay', kept: begun }
      case 'mismatch':
        throw new IdempotencyMismatch()
      case 'conflict':
        throw new IdempotencyConflict()
      case 'started':
    }
    try {
      const generation = await this.#charge(request, signal, onCredits)
      await this.#cleanUp(() => this.#idempotency.forgetBeyondBounds(accountId))
      return generation
    } catch (error) {
      await this.#cleanUp(() => this.#idempotency.fail({ accountId, key }))
      throw error
    }
  }

  async #charge(request: GenerationRequest, signal: AbortSignal, onCredits: CreditObserver): Promise<Generation> {
    const templates = await this.#find(request)
    const artworks = matchFrames(
      request.artwork,
      templates.map(({ id, aspectRatios }) => ({ id, frameCount: aspectRatios.length })),
    )
    signal.throwIfAborted()
    const credits = templates.length
    const reservation = await this.#wallet.reserve({
      accountId: request.accountId,
      keyId: request.keyId,
      credits,
      requestId: request.requestId,
      expiresAtMs: this.#clock() + REQUEST_BUDGET_MS + RESERVATION_SLACK_MS,
    })
    if (!reservation.ok) throw new InsufficientCredits(credits, reservation.spendableCredits)
    const { reservationId } = reservation
    try {
      const work = await this.#work(request, templates, artworks, signal)
      const spendableCredits = await this.#settle(reservationId, request, work, signal)
      onCredits({ consumed: credits, refunded: 0 })
      return { kind: 'generated', ...work, creditsUsed: credits, spendableCredits }
    } catch (error) {
      await this.#cleanUp(() => this.#giveBack(reservationId, error))
      onCredits({ consumed: 0, refunded: credits })
      throw error
    }
  }

  /** Settles the charge, and keeps the answer with it where that was asked for: both or neither. */
  async #settle(
    reservationId: string,
    { keep, accountId }: GenerationRequest,
    work: CompleteWork,
    signal: AbortSignal,
  ): Promise<number> {
    const kept = await keep?.store(work)
    try {
      signal.throwIfAborted()
      const keeping = keep && kept && this.#idempotency.finishing({ accountId, key: keep.key, ...kept })
      const settlement = await this.#wallet.settle(reservationId, keeping)
      if (!settlement.settled) {
        // Undone together with what should have been kept: the key is another attempt's by now.
        if (settlement.state === 'reserved') throw new IdempotencyConflict()
        throw new Error('The reservation ended before its mockups were complete')
      }
      // Gone between the last check and the settlement: the 200 can't begin any more, and an answer that is kept stays paid for.
      if (keep === undefined) signal.throwIfAborted()
      return settlement.spendableCredits
    } catch (error) {
      if (keep !== undefined && kept !== undefined) await this.#cleanUp(() => keep.discard(kept))
      throw error
    }
  }

  async #find({ templateIds, accountId }: GenerationRequest): Promise<FoundTemplate[]> {
    const ids = [...new Set(templateIds)]
    const found = await this.#templates.find(ids, accountId)
    const missing = ids.filter(id => !found.has(id))
    if (missing.length > 0) throw new TemplatesNotFound(missing)
    return templateIds.flatMap(id => found.get(id) ?? [])
  }

  async #work(
    request: GenerationRequest,
    templates: readonly FoundTemplate[],
    artworks: readonly FrameArtwork[],
    signal: AbortSignal,
  ): Promise<CompleteWork> {
    const { folder, output, place } = request
    const bundles = await Promise.all(templates.map(template => this.#templates.localBundle(template)))
    const fetchStartedMs = performance.now()
    const files = await fetchArtworks(artworks, this.#download, folder, signal)
    const renderStartedMs = performance.now()
    const mockups = bundles.map((bundle, index) => ({ bundle, toFile: folder.file(`mockup-${index}`) }))
    const rendered = await this.#pool.render({ mockups, artworks: files, output }, place, signal)
    const renderedMs = performance.now()
    signal.throwIfAborted()
    const durationMs = rendered.reduce((sum, mockup) => sum + mockup.durationMs, 0)
    const decodeMs = rendered.flatMap(({ stages }) => stages.filter(({ name }) => name === 'decode'))
    const decodedBy = rendered.flatMap(mockup => mockup.decodedBy)
    return {
      mockups: rendered.map((mockup, index) => ({
        ...mockup,
        templateId: templates[index]?.id ?? '',
        file: mockups[index]?.toFile ?? '',
      })),
      durationMs: Math.round(durationMs),
      stages: [
        { name: 'fetch', durationMs: renderStartedMs - fetchStartedMs },
        { name: 'queue', durationMs: Math.max(0, renderedMs - renderStartedMs - durationMs) },
        { name: 'render', durationMs },
        {
          name: 'decode',
          durationMs: decodeMs.reduce((sum, stage) => sum + stage.durationMs, 0),
          description: [...new Set(decodedBy)].join(' '),
        },
      ],
      decodedBy,
    }
  }

  /** Gives the credits back, whatever state the failure left them in. */
  async #giveBack(reservationId: string, cause: unknown): Promise<void> {
    const reason = cause instanceof Error ? cause.name : 'unknown'
    const { state } = await this.#wallet.release(reservationId, reason)
    // Settled all the same: the client left just then, or the settlement's answer was lost.
    if (state === 'settled') await this.#wallet.refund(reservationId, { reason })
  }

  /** Never throws: what happened before is what is answered. */
  async #cleanUp(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#onCleanUpFailed(error)
    }
  }
}
