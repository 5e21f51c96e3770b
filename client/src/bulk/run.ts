import type { Artwork } from '../artwork.ts'
import { isVitrineError, type VitrineError } from '../errors.ts'
import type { Batch } from '../mockup.ts'
import { isRetryable, sleep, waitBefore } from '../send.ts'
import type { Vitrine } from '../vitrine.ts'
import type { Design, DesignOutput, Progress, RenderAllOptions, Summary } from './bulk-types.ts'
import type { Past, Task } from './journal.ts'
import { extensionOf, splitTemplates, type Work } from './tasks.ts'

const CONCURRENCY = 4

/** Attempts per request, and per request that a busy service refused to start. */
const ATTEMPTS_MAX = 3
const BUSY_ATTEMPTS_MAX = 20

/** If the service asks to wait longer, for example because of a daily limit, the run stops. */
const RETRY_AFTER_MAX_MS = 600_000

/** Errors of the key, the account or its credits would affect every other mockup, too. */
const fatal = new Set([401, 402, 403])

/** Errors of the artwork, whatever the template. */
const ofArtwork = new Set([
  'INVALID_ARTWORK',
  'INVALID_ARTWORK_URL',
  'ARTWORK_FILE_TOO_LARGE',
  'ARTWORK_URL_FORBIDDEN',
  'ARTWORK_FETCH_FAILED',
  'IMAGE_URL_NOT_FOUND',
  'IMAGE_FETCH_TIMEOUT',
])

/** File system errors that would affect every other file, too. */
const fullDisk = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EROFS'])

const isDiskFull = (error: unknown): boolean => error instanceof Error && 'code' in error && fullDisk.has(error.code)

/** After this many successive requests without a saved mockup the run stops. */
const UNSAVED_REQUESTS_MAX = 3

const isBusy = ({ status }: VitrineError): boolean => status === 429 || status === 503

type Attempt = { readonly design: Design; readonly task: Task; readonly tries: number }

/** One run of `renderAll`: its queue, its concurrency and its results. */
export class Run {
  readonly #vitrine: Vitrine
  readonly #options: RenderAllOptions
  readonly #past: Past
  readonly #queue: Attempt[]
  readonly #active = new Set<Promise<void>>()
  readonly #total: number
  readonly #failures: Summary['failures'][number][] = []
  #done: number
  #creditsUsed = 0
  #creditsAtWork = 0
  #creditsRemaining: number | null = null
  readonly #concurrency: number
  /** Concurrent requests allowed now, from 1 to the concurrency: fewer while the service is busy. */
  #pace: number
  #pausedUntilMs = 0
  #stopped: Summary['stopped'] = null
  /** Requests since the last mockup that could be saved. */
  #unsaved = 0
  /** The error thrown by `journal`, or the reason of the signal. */
  #broken: { readonly reason: unknown } | null = null

  constructor(vitrine: Vitrine, options: RenderAllOptions, past: Past, works: readonly Work[], done: number) {
    this.#vitrine = vitrine
    this.#options = options
    this.#past = past
    this.#queue = works.flatMap(({ design, tasks }) => tasks.map(task => ({ design, task, tries: 1 })))
    this.#done = done
    this.#total = done + works.reduce((sum, { left }) => sum + left, 0)
    this.#concurrency = Math.max(1, options.concurrency ?? CONCURRENCY)
    this.#pace = this.#concurrency
  }

  async finish(): Promise<Summary> {
    while (this.#broken === null && this.#stopped === null && this.#queue.length + this.#active.size > 0) {
      if (this.#queue.length > 0 && this.#active.size < Math.floor(this.#pace)) await this.#startNext()
      else await Promise.race(this.#active)
    }
    await Promise.all(this.#active)
    if (this.#broken !== null) throw this.#broken.reason
    return { ...this.#progress, failures: this.#failures, stopped: this.#stopped }
  }

  async #startNext(): Promise<void> {
    const { signal, maxCredits = Number.POSITIVE_INFINITY } = this.#options
    const pauseMs = this.#pausedUntilMs - Date.now()
    if (pauseMs > 0) {
      await sleep(pauseMs, signal).catch((reason: unknown) => this.#break(reason))
      return
    }
    const credits = this.#queue[0]?.task.templates.length ?? 0
    if (this.#creditsUsed + this.#creditsAtWork + credits > maxCredits) {
      // Requests in progress may cost less than assumed.
      if (this.#active.size > 0) await Promise.race(this.#active)
      else this.#stopped = 'max-credits'
      return
    }
    const attempt = this.#queue.shift()
    if (attempt === undefined) return
    this.#creditsAtWork += credits
    const work = this.#do(attempt)
      .catch((reason: unknown) => this.#break(reason))
      .finally(() => {
        this.#creditsAtWork -= credits
        this.#active.delete(work)
      })
    this.#active.add(work)
  }

  #break(reason: unknown): void {
    this.#broken ??= { reason }
  }

  async #do(attempt: Attempt): Promise<void> {
    const batch = await this.#request(attempt)
    if (batch !== null) {
      this.#pace = Math.min(this.#concurrency, this.#pace + 1 / this.#pace)
      this.#creditsUsed += batch.creditsUsed
      this.#creditsRemaining = batch.creditsRemaining
      await this.#save(attempt, batch)
    }
    this.#options.onProgress?.(this.#progress)
  }

  /** Null if there are no mockups: the failure has been handled. */
  async #request(attempt: Attempt): Promise<Batch | null> {
    const { design, task, tries } = attempt
    const { signal, journal, output } = this.#options
    signal?.throwIfAborted()
    let artwork: Artwork
    let own: DesignOutput | undefined
    try {
      artwork = await (typeof design.artwork === 'function' ? design.artwork() : design.artwork)
      own = await (typeof design.output === 'function' ? design.output() : design.output)
    } catch (error) {
      this.#fail(attempt, error)
      return null
    }
    if (tries === 1) await journal?.append({ type: 'batch', design: design.id, ...task })
    const { key: idempotencyKey, templates } = task
    try {
      const call = { ...output, ...own, templates, artwork, idempotencyKey, signal, maxRetries: 0 }
      return await this.#vitrine.generateBatch(call)
    } catch (error) {
      signal?.throwIfAborted()
      await this.#handle(attempt, error)
      return null
    }
  }

  /** Saves as many mockups of an answer as possible, since all are paid for. */
  async #save(attempt: Attempt, batch: Batch): Promise<void> {
    const { design } = attempt
    const { save, journal, output } = this.#options
    const extension = extensionOf(output?.format)
    const saved: string[] = []
    let failure: { readonly error: unknown } | null = null
    for (const { template, ...picture } of batch.mockups) {
      if (!this.#isLeft(design, template)) continue
      try {
        await save.save({ design: design.id, template, extension, ...picture })
        saved.push(template)
      } catch (error) {
        this.#fail(attempt, error, [template])
        failure = { error }
      }
    }
    this.#unsaved = failure !== null && saved.length === 0 ? this.#unsaved + 1 : 0
    if (failure !== null && (isDiskFull(failure.error) || this.#unsaved >= UNSAVED_REQUESTS_MAX))
      this.#stopped ??= failure.error instanceof Error ? failure.error : new Error(String(failure.error))
    for (const template of saved) {
      await journal?.append({ type: 'done', design: design.id, template })
      this.#done++
    }
  }

  async #handle(attempt: Attempt, error: unknown): Promise<void> {
    const { design, task, tries } = attempt
    if (!isVitrineError(error)) {
      this.#fail(attempt, error)
      return
    }
    if (fatal.has(error.status ?? 0) || (error.retryAfterMs ?? 0) > RETRY_AFTER_MAX_MS) {
      this.#stopped ??= error
      return
    }
    const attemptsMax = isBusy(error) ? BUSY_ATTEMPTS_MAX : ATTEMPTS_MAX
    if (isRetryable(error) && tries < attemptsMax) return this.#tryAgain(attempt, error)
    const left = task.templates.filter(template => this.#isLeft(design, template))
    if (isVitrineError(error, 'TEMPLATE_NOT_FOUND')) {
      const { missing_template_ids: missing } = error.details
      const [unknown, known] = [true, false].map(side => left.filter(id => missing.includes(id) === side))
      this.#fail(attempt, error, unknown)
      this.#takeApart(design, known ?? [])
    } else if (error.code === 'IDEMPOTENCY_MISMATCH') this.#takeApart(design, left)
    else if (task.templates.length > 1 && !ofArtwork.has(error.code)) this.#takeApart(design, left, 1)
    else this.#fail(attempt, error)
  }

  /** Retries a request later. If the service is busy, all requests wait and fewer are sent concurrently. */
  async #tryAgain(attempt: Attempt, error: VitrineError): Promise<void> {
    const waitMs = waitBefore(attempt.tries, error.retryAfterMs)
    if (isBusy(error)) {
      this.#pace = Math.max(1, this.#pace / 2)
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, Date.now() + waitMs)
    } else await sleep(waitMs, this.#options.signal)
    this.#queue.unshift({ ...attempt, tries: attempt.tries + 1 })
  }

  #takeApart(design: Design, templates: readonly string[], size?: number): void {
    this.#queue.unshift(...splitTemplates(templates, size).map(task => ({ design, task, tries: 1 })))
  }

  #fail({ design, task }: Attempt, error: unknown, templates = task.templates): void {
    for (const template of templates)
      if (this.#isLeft(design, template)) this.#failures.push({ design: design.id, template, error })
  }

  /** Repeated requests may contain mockups that an earlier run saved. */
  #isLeft({ id }: Design, template: string): boolean {
    return !this.#past.isDone({ design: id, template })
  }

  get #progress(): Progress {
    return {
      total: this.#total,
      done: this.#done,
      failed: this.#failures.length,
      creditsUsed: this.#creditsUsed,
      creditsRemaining: this.#creditsRemaining,
    }
  }
}
