import type { ArtworkDownload } from '../artwork-download/artwork-download.ts'
import type { Place } from './admissions.ts'
import { type FrameArtwork, fetchArtworks } from './fetch-artworks.ts'
import { InsufficientCredits, TemplatesNotFound } from './generation-errors.ts'
import { REQUEST_BUDGET_MS } from './limits.ts'
import { matchFrames, type RequestArtwork } from './match-frames.ts'
import type { PrivateFolder } from './private-folders.ts'
import type { JobOutput, RenderedMockup } from './render-job.ts'
import type { RenderPool } from './render-pool.ts'

/** A template that was found for an account. */
export type FoundTemplate = { readonly id: string; readonly version: number | string; readonly frameCount: number }

/** What a generation needs of the templates. */
export type TemplateFinder = {
  /** Those of the ids that exist for the account, each once. */
  find(ids: readonly string[], accountId: string): Promise<readonly FoundTemplate[]>
  /** A folder on the local disk with the bundle's files. */
  localBundleDir(id: string, version: FoundTemplate['version']): Promise<string>
}

/** What a generation needs of the wallet. */
export type Purse = {
  reserve(request: {
    readonly accountId: string
    readonly keyId: string | null
    readonly credits: number
    readonly requestId: string
    readonly expiresAtMs: number
  }): Promise<
    | { readonly ok: true; readonly reservationId: string; readonly spendableCredits: number }
    | { readonly ok: false; readonly spendableCredits: number }
  >
  settle(reservationId: string): Promise<{ readonly settled: boolean; readonly spendableCredits: number }>
  release(reservationId: string, cause: string): Promise<{ readonly state: string }>
  refund(reservationId: string, options: { readonly reason: string }): Promise<unknown>
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
}

/** A mockup that is finished, and where it is. */
export type GeneratedMockup = RenderedMockup & { readonly templateId: string; readonly file: string }

/** Mockups that are complete and paid for. */
export type Generation = {
  /** In the order of the request's template ids. */
  readonly mockups: readonly GeneratedMockup[]
  /** Time of the render alone, after the artwork had arrived, in whole milliseconds. */
  readonly durationMs: number
  readonly creditsUsed: number
  /** What the account can spend after this. */
  readonly spendableCredits: number
  readonly stages: readonly { readonly name: string; readonly durationMs: number }[]
}

/** Told what became of a request's credits, for counting. */
export type CreditObserver = (credits: { readonly consumed: number; readonly refunded: number }) => void

/** How long after the last moment of a request its reservation may be swept: nobody can be working on it any more. */
const RESERVATION_SLACK_MS = 60_000

/**
 * A generation from checked parameters to a settled charge: find the templates, match the frames, reserve, fetch, render, settle.
 * The first step that fails ends it, and whatever was reserved is given back, once.
 *
 * All or nothing: a batch of which one mockup fails costs nothing and gives nothing. The charge settles when the last picture is
 * complete and the client is still there; what comes after that is delivery.
 */
export class MockupGenerator {
  readonly #templates: TemplateFinder
  readonly #purse: Purse
  readonly #download: ArtworkDownload
  readonly #pool: RenderPool
  readonly #onReleaseFailed: (reservationId: string, error: unknown) => void
  readonly #nowMs: () => number

  constructor(services: {
    readonly templates: TemplateFinder
    readonly purse: Purse
    readonly download: ArtworkDownload
    readonly pool: RenderPool
    /** Told when credits could not be given back at once; the sweeper will. */
    readonly onReleaseFailed?: (reservationId: string, error: unknown) => void
    /** Unix time in milliseconds. */
    readonly nowMs?: () => number
  }) {
    this.#templates = services.templates
    this.#purse = services.purse
    this.#download = services.download
    this.#pool = services.pool
    this.#onReleaseFailed = services.onReleaseFailed ?? (() => undefined)
    this.#nowMs = services.nowMs ?? Date.now
  }

  /**
   * Generates the mockups of one request.
   *
   * @param signal aborts when the client has gone: the work is dropped, the credits come back, and its reason is thrown
   * @throws TemplatesNotFound, UnknownFrames, FramesWithoutArtwork, InsufficientCredits, ArtworkNotFetched, ArtworkRejected,
   *   RenderBusy or RenderFailed
   */
  async generate(
    request: GenerationRequest,
    signal: AbortSignal,
    onCredits: CreditObserver = () => undefined,
  ): Promise<Generation> {
    const templates = await this.#find(request)
    const artworks = matchFrames(request.artwork, templates)
    signal.throwIfAborted()
    const credits = templates.length
    const reservation = await this.#purse.reserve({
      accountId: request.accountId,
      keyId: request.keyId,
      credits,
      requestId: request.requestId,
      expiresAtMs: this.#nowMs() + REQUEST_BUDGET_MS + RESERVATION_SLACK_MS,
    })
    if (!reservation.ok) throw new InsufficientCredits(credits, reservation.spendableCredits)
    const { reservationId } = reservation
    try {
      const work = await this.#work(request, templates, artworks, signal)
      const settlement = await this.#purse.settle(reservationId)
      if (!settlement.settled) throw new Error('The reservation ended before its mockups were complete')
      // Gone between the last check and the settlement: the 200 can't begin any more.
      signal.throwIfAborted()
      onCredits({ consumed: credits, refunded: 0 })
      return { ...work, creditsUsed: credits, spendableCredits: settlement.spendableCredits }
    } catch (error) {
      await this.#giveBack(reservationId, error)
      onCredits({ consumed: 0, refunded: credits })
      throw error
    }
  }

  async #find({ templateIds, accountId }: GenerationRequest): Promise<FoundTemplate[]> {
    const found = new Map(
      (await this.#templates.find([...new Set(templateIds)], accountId)).map(template => [template.id, template]),
    )
    const missing = [...new Set(templateIds)].filter(id => !found.has(id))
    if (missing.length > 0) throw new TemplatesNotFound(missing)
    return templateIds.flatMap(id => found.get(id) ?? [])
  }

  async #work(
    request: GenerationRequest,
    templates: readonly FoundTemplate[],
    artworks: readonly FrameArtwork[],
    signal: AbortSignal,
  ): Promise<Pick<Generation, 'mockups' | 'durationMs' | 'stages'>> {
    const { folder, output, place } = request
    const bundles = await Promise.all(
      templates.map(async ({ id, version }) => ({
        key: `${id}@${version}`,
        folder: await this.#templates.localBundleDir(id, version),
      })),
    )
    const fetchStartedMs = performance.now()
    const files = await fetchArtworks(artworks, this.#download, folder, signal)
    const renderStartedMs = performance.now()
    const mockups = bundles.map((bundle, index) => ({ bundle, toFile: folder.file(`mockup-${index}`) }))
    const rendered = await this.#pool.render({ mockups, artworks: files, output }, place, signal)
    const renderedMs = performance.now()
    signal.throwIfAborted()
    const durationMs = rendered.reduce((sum, mockup) => sum + mockup.durationMs, 0)
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
      ],
    }
  }

  /** Gives the credits back, whatever state the failure left them in. Never throws: the failure itself is what is answered. */
  async #giveBack(reservationId: string, cause: unknown): Promise<void> {
    try {
      const reason = cause instanceof Error ? cause.name : 'unknown'
      const { state } = await this.#purse.release(reservationId, reason)
      // Settled all the same: the client left just then, or the settlement's answer was lost.
      if (state === 'settled') await this.#purse.refund(reservationId, { reason })
    } catch (error) {
      this.#onReleaseFailed(reservationId, error)
    }
  }
}
