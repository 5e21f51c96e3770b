import type { RenderWork } from '../account-budget/unpaid-time.ts'
import type { ArtworkDownload } from '../artwork-download/artwork-download.ts'
import type { RequestDownloads } from '../artwork-download/request-downloads.ts'
import type { Wallet } from '../credits/wallet.ts'
import type { Clock } from '../database/clock.ts'
import { isDiskFull } from '../errors/disk-full-error.ts'
import type { Idempotency, SavedAnswer } from '../idempotency/idempotency.ts'
import type { PrivateFolder } from '../storage/private-folders.ts'
import type { TemplateBundle } from '../templates/template-bundle.ts'
import type { TemplateRecord } from '../templates/template-record.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import { fetchArtworks } from './fetch-artworks.ts'
import { GenerationError, renderBusy } from './generation-error.ts'
import { REQUEST_BUDGET_MS } from './limits.ts'
import { matchColors } from './match-colors.ts'
import { matchFrames, matchPlacements } from './match-frames.ts'
import type { Permit } from './permit.ts'
import type { JobOutput } from './render-job.ts'
import type { RenderPool } from './render-pool.ts'
import type {
  ChosenColors,
  FrameArtwork,
  FramePlacements,
  RequestArtwork,
  RequestPlacements,
} from './request-artwork.ts'
import type { RenderedMockup } from './worker-messages.ts'

/** What a generation needs from the template store. */
export type TemplateFinder = Pick<TemplateStore, 'find' | 'localBundle' | 'replaceBroken'>

/** How to save a request's answer. If the request is repeated, the saved answer is sent without a charge. */
export type SaveRequest = {
  /** The `Idempotency-Key` of the request. */
  readonly key: string
  /** SHA-256 of the parsed parameters and the uploaded bytes. */
  readonly requestHash: string
  /** Stores the answer's body, after the mockups are complete and before the charge is settled. */
  readonly store: (work: CompleteWork) => Promise<SavedAnswer>
  /** Deletes the body of an answer whose charge failed. */
  readonly discard: (saved: SavedAnswer) => Promise<void>
}

/** A request to generate mockups, with validated parameters. */
export type GenerationRequest = {
  readonly accountId: string
  /** `null` for a render from the dashboard. */
  readonly keyId: string | null
  readonly requestId: string
  /** In request order; a repeated id is rendered and charged each time. */
  readonly templateIds: readonly string[]
  readonly artwork: RequestArtwork
  readonly placements: RequestPlacements
  readonly colors: ChosenColors
  readonly output: JobOutput
  readonly folder: PrivateFolder
  /** When the request began, by the monotonic clock in milliseconds. */
  readonly startedAtMs: number
  /** If null, the request is admitted after its credits are reserved. */
  readonly permit: Permit | null
  /** Called once the request has a permit. */
  readonly onAdmitted?: () => void
  /** Counts the processor time of its renders. */
  readonly work: RenderWork
  readonly save?: SaveRequest | undefined
}

/** A finished mockup and its file. */
export type GeneratedMockup = RenderedMockup & { readonly templateId: string; readonly file: string }

export type CompleteWork = {
  /** In the order of the request's template ids. */
  readonly mockups: readonly GeneratedMockup[]
  /** Time of the render alone, once the artwork has arrived, in whole milliseconds. */
  readonly durationMs: number
  readonly stages: readonly Stage[]
}

/** A part of a request's time, for `Server-Timing`, log and metrics. `decode` is a part of `render`. */
export type Stage = {
  readonly name: string
  readonly durationMs: number
  /** By the monotonic clock; null for a sum of several intervals. */
  readonly startedMs: number | null
}

/** Mockups that are complete and paid for. */
export type Generation = CompleteWork & {
  readonly kind: 'generated'
  /** The settled reservation. */
  readonly reservationId: string
  readonly creditsUsed: number
  /** The account's spendable credits after the charge. */
  readonly spendableCredits: number
}

/** The saved answer of an earlier identical request. */
export type Replay = { readonly kind: 'replay'; readonly saved: SavedAnswer }

/** Called when credits are settled or given back, even if the client leaves before the answer is ready. */
export type CreditObserver = (credits: { readonly consumed: number; readonly refunded: number }) => void

/** When the sweeper may release a reservation after its request's deadline: all work has ended by then. */
const RESERVATION_SLACK_MS = 60_000

/**
 * Generates mockups: claims the idempotency key, finds the templates, matches the frames, reserves credits,
 * admits, fetches artwork, renders and settles. If any step fails, even for one mockup of a batch, the
 * reservation and the key are released. The charge is settled once the last mockup is complete, if the client
 * is still connected.
 */
export class MockupGenerator {
  readonly #templates: TemplateFinder
  readonly #wallet: Wallet
  readonly #idempotency: Idempotency
  readonly #download: ArtworkDownload
  readonly #pool: RenderPool
  readonly #clock: Clock
  readonly #onCleanUpFailed: (error: unknown) => void
  /** Failed clean-ups, to be retried by `cleanUpAgain`. */
  readonly #unfinished = new Set<() => Promise<unknown>>()

  constructor(services: {
    readonly templates: TemplateFinder
    readonly wallet: Wallet
    readonly idempotency: Idempotency
    readonly download: ArtworkDownload
    readonly pool: RenderPool
    readonly clock?: Clock
    /** Called when giving credits back or releasing a key failed; `cleanUpAgain` retries it. */
    readonly onCleanUpFailed?: (error: unknown) => void
  }) {
    this.#templates = services.templates
    this.#wallet = services.wallet
    this.#idempotency = services.idempotency
    this.#download = services.download
    this.#pool = services.pool
    this.#clock = services.clock ?? Date.now
    this.#onCleanUpFailed = services.onCleanUpFailed ?? (() => undefined)
  }

  /**
   * Generates the mockups of a request, or finds the saved answer of an earlier identical one.
   *
   * @param signal aborts when the client leaves: the work is cancelled and the credits are given back
   * @throws GenerationError
   */
  async generate(
    request: GenerationRequest,
    signal: AbortSignal,
    onCredits: CreditObserver = () => undefined,
  ): Promise<Generation | Replay> {
    const { save, accountId } = request
    if (save === undefined) return this.#charge(request, signal, onCredits)
    const { key, requestHash } = save
    const begun = await this.#idempotency.begin({ accountId, key, requestHash })
    switch (begun.outcome) {
      case 'replay':
        return { kind: 'replay', saved: begun }
      case 'mismatch':
        throw new GenerationError({ kind: 'idempotency-mismatch' })
      case 'conflict':
        throw new GenerationError({ kind: 'idempotency-conflict' })
      case 'started':
    }
    try {
      const generation = await this.#charge(request, signal, onCredits)
      await withinBudget(this.#idempotency.enforceBounds(accountId), request.startedAtMs).catch(this.#onCleanUpFailed)
      return generation
    } catch (error) {
      await this.#cleanUp(() => this.#idempotency.fail({ accountId, key }))
      throw error
    }
  }

  async #charge(request: GenerationRequest, signal: AbortSignal, onCredits: CreditObserver): Promise<Generation> {
    const templates = await this.#find(request)
    const framed = templates.map(({ id, aspectRatios, slots }) => ({ id, frameCount: aspectRatios.length, slots }))
    const artworks = matchFrames(request.artwork, framed)
    const placements = matchPlacements(request.placements, framed)
    matchColors(request.colors, templates)
    signal.throwIfAborted()
    if (request.permit === null) this.#pool.assertRoom(request.accountId)
    const credits = templates.length
    const reservation = await this.#wallet.reserve({
      accountId: request.accountId,
      keyId: request.keyId,
      credits,
      requestId: request.requestId,
      expiresAtMs: this.#clock() + REQUEST_BUDGET_MS + RESERVATION_SLACK_MS,
    })
    if (!reservation.ok) {
      const { spendableCredits } = reservation
      throw new GenerationError({ kind: 'insufficient-credits', requiredCredits: credits, spendableCredits })
    }
    const { reservationId } = reservation
    using downloads = this.#download.begin(request.accountId)
    try {
      using permit = request.permit ?? this.#pool.admit(request.accountId, request.startedAtMs)
      request.onAdmitted?.()
      const work = await this.#work({ ...request, permit }, templates, { artworks, placements }, downloads, signal)
      const spendableCredits = await this.#settle(reservationId, request, work, signal)
      request.work.pay()
      downloads.markDelivered()
      onCredits({ consumed: credits, refunded: 0 })
      return { kind: 'generated', ...work, reservationId, creditsUsed: credits, spendableCredits }
    } catch (error) {
      request.work.fail()
      await this.#cleanUp(() => this.#giveBack(reservationId, signal.aborted ? 'client gone' : describeFailure(error)))
      onCredits({ consumed: 0, refunded: credits })
      throw error
    }
  }

  /** Settles the charge and saves the answer of a request with an idempotency key, both or neither. */
  async #settle(
    reservationId: string,
    { save, accountId, startedAtMs }: GenerationRequest,
    work: CompleteWork,
    signal: AbortSignal,
  ): Promise<number> {
    const saved = save && (await this.#store(save, work, startedAtMs))
    try {
      signal.throwIfAborted()
      const saving = save && saved && this.#idempotency.finishing({ accountId, key: save.key, ...saved })
      const settlement = await this.#wallet.settle(reservationId, saving)
      if (!settlement.settled) {
        // The settlement was rolled back: another attempt now owns the key.
        if (settlement.state === 'reserved') throw new GenerationError({ kind: 'idempotency-conflict' })
        throw new Error('The reservation ended before its mockups were complete')
      }
      // If the client left during the settlement, the charge is refunded, unless the answer is saved.
      if (save === undefined) signal.throwIfAborted()
      return settlement.spendableCredits
    } catch (error) {
      if (save !== undefined && saved !== undefined) await this.#cleanUp(() => save.discard(saved))
      throw error
    }
  }

  /** A body that is stored after the request's deadline is deleted again. */
  async #store(save: SaveRequest, work: CompleteWork, startedAtMs: number): Promise<SavedAnswer> {
    const storing = save.store(work)
    try {
      return await withinBudget(storing, startedAtMs)
    } catch (error) {
      storing.then(
        saved => this.#cleanUp(() => save.discard(saved)),
        () => undefined,
      )
      throw error
    }
  }

  async #find({ templateIds, accountId }: GenerationRequest): Promise<TemplateRecord[]> {
    const ids = [...new Set(templateIds)]
    const found = await this.#templates.find(ids, accountId)
    const missing = ids.filter(id => !found.has(id))
    if (missing.length > 0) throw new GenerationError({ kind: 'templates-not-found', missingTemplateIds: missing })
    return templateIds.flatMap(id => found.get(id) ?? [])
  }

  async #work(
    request: GenerationRequest & { readonly permit: Permit },
    templates: readonly TemplateRecord[],
    { artworks, placements }: { readonly artworks: readonly FrameArtwork[]; readonly placements: FramePlacements },
    downloads: RequestDownloads,
    signal: AbortSignal,
  ): Promise<CompleteWork> {
    const { accountId, folder, output, permit, startedAtMs, work } = request
    await this.#bundlesOf(templates, startedAtMs)
    const fetchStartedMs = performance.now()
    const files = await fetchArtworks(artworks, downloads, folder, signal)
    const renderStartedMs = performance.now()
    const toFiles = templates.map((_, index) => folder.file(`mockup-${index}`))
    const render = async () => {
      const bundles = await this.#bundlesOf(templates, startedAtMs)
      const mockups = bundles.map((bundle, index) => ({
        bundle,
        toFile: toFiles[index] ?? '',
        slots: templates[index]?.slots ?? [],
      }))
      const order = orderByFrames(templates)
      const job = {
        accountId,
        mockups: order.flatMap(index => mockups[index] ?? []),
        artworks: files,
        placements,
        colors: request.colors,
        output,
      }
      const inOrder = await this.#pool.render(job, permit, signal, processorMs => work.add(processorMs))
      return mockups.flatMap((_, index) => inOrder[order.indexOf(index)] ?? [])
    }
    const rendered = await render().catch(async (error: unknown) => {
      if (!(await this.#hasReplacedBroken(templates, startedAtMs, error, signal))) throw error
      return render()
    })
    const renderedMs = performance.now()
    signal.throwIfAborted()
    const durationMs = rendered.reduce((sum, mockup) => sum + mockup.durationMs, 0)
    const decodeMs = rendered.flatMap(({ stages }) => stages.filter(({ name }) => name === 'decode'))
    return {
      mockups: rendered.map((mockup, index) => ({
        ...mockup,
        templateId: templates[index]?.id ?? '',
        file: toFiles[index] ?? '',
      })),
      durationMs: Math.round(durationMs),
      stages: [
        { name: 'fetch', durationMs: renderStartedMs - fetchStartedMs, startedMs: fetchStartedMs },
        {
          name: 'queue',
          durationMs: Math.max(0, renderedMs - renderStartedMs - durationMs),
          startedMs: renderStartedMs,
        },
        { name: 'render', durationMs, startedMs: Math.max(renderStartedMs, renderedMs - durationMs) },
        { name: 'decode', durationMs: decodeMs.reduce((sum, stage) => sum + stage.durationMs, 0), startedMs: null },
      ],
    }
  }

  #bundlesOf(templates: readonly TemplateRecord[], startedAtMs: number): Promise<TemplateBundle[]> {
    return withinBudget(Promise.all(templates.map(template => this.#templates.localBundle(template))), startedAtMs)
  }

  /** Whether the render failed because of damaged template files, which have now been replaced. */
  async #hasReplacedBroken(
    templates: readonly TemplateRecord[],
    startedAtMs: number,
    error: unknown,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted || isDiskFull(error)) return false
    if (error instanceof GenerationError && error.kind !== 'render-failed') return false
    const looks = [...new Set(templates)].map(template => this.#templates.replaceBroken(template))
    return (await withinBudget(Promise.all(looks), startedAtMs)).includes(true)
  }

  /** Gives the credits back, whether they are reserved or already settled. */
  async #giveBack(reservationId: string, reason: string): Promise<void> {
    const { state } = await this.#wallet.release(reservationId, reason)
    // The client left during the settlement, or the database's answer to it was lost.
    if (state === 'settled') await this.#wallet.refund(reservationId, { reason })
  }

  /** Never throws, so that the caller gets the original error. */
  async #cleanUp(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#unfinished.add(act)
      this.#onCleanUpFailed(error)
    }
  }

  /**
   * Retries failed clean-ups. A settlement whose answer from the database was lost may have been committed
   * although its request failed. Call it every few seconds.
   */
  async cleanUpAgain(): Promise<void> {
    for (const act of this.#unfinished) {
      await act()
      this.#unfinished.delete(act)
    }
  }
}

/**
 * The templates' indexes, those with the most frames first. All templates number their frames alike, so the
 * first mockup decodes every artwork.
 */
function orderByFrames(templates: readonly TemplateRecord[]): number[] {
  const frameCountOf = (index: number): number => templates[index]?.aspectRatios.length ?? 0
  return templates.map((_, index) => index).toSorted((a, b) => frameCountOf(b) - frameCountOf(a))
}

/** Waits until the request's deadline. The work continues, since other requests may use its result. */
async function withinBudget<Result>(work: Promise<Result>, startedAtMs: number): Promise<Result> {
  const over = Promise.withResolvers<never>()
  const leftMs = startedAtMs + REQUEST_BUDGET_MS - performance.now()
  const timer = setTimeout(() => over.reject(renderBusy('The time of the request was over', 1000)), leftMs)
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The reason for a release or refund, as written to the ledger. */
function describeFailure(error: unknown): string {
  if (error instanceof GenerationError) return error.kind
  return error instanceof Error ? error.name : 'unknown'
}
