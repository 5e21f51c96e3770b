import { createHash } from 'node:crypto'
import { PACK_FORMAT } from '@vitrine/engine/bundle'
import type { DashboardCalls } from '../account-budget/dashboard-calls.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { TemplateRecord } from '../templates/template-record.ts'
import type { TemplateStore } from '../templates/template-store.ts'
import type { PublishableKey, PublishableKeys } from './publishable-keys.ts'

/** Increment it when watermarks are drawn differently: it is part of the names of cached packs. */
const WATERMARK_FORMAT = 1

/** Packs that are made for a key in advance. Others are made at their first use. */
const MADE_AHEAD_MAX = 48

/** Interval of checks for keys that a command or another node has made. */
const WATCH_EVERY_MS = 5_000
/** The maximum difference between the clocks of two machines. */
const CLOCK_SKEW_MAX_MS = 60_000
/** Keys per check. */
const WATCHED_MAX = 100

/** The account has had too many packs made within the hour. */
export class PagePacksSpentError extends Error {
  override readonly name = 'PagePacksSpentError'
  readonly retryAfterS: number

  constructor(retryAfterS: number) {
    super('The account has had too many packs for pages made within the hour')
    this.retryAfterS = retryAfterS
  }
}

/** The packs of templates that pages load with publishable keys, each in its key's look. */
export class PagePacks {
  readonly #templates: TemplateStore
  readonly #publishableKeys: PublishableKeys
  readonly #dashboardCalls: DashboardCalls
  readonly #onError: (error: unknown) => void
  /** The last saved state of each key, by id. */
  readonly #wanted = new Map<string, PublishableKey>()
  /** Ids of the keys that the last check found, so that none is processed twice. */
  #seen: ReadonlySet<string> = new Set()
  #isClosed = false

  constructor(
    services: {
      readonly templates: TemplateStore
      readonly publishableKeys: PublishableKeys
      readonly dashboardCalls: DashboardCalls
    },
    onError: (error: unknown) => void,
  ) {
    this.#templates = services.templates
    this.#publishableKeys = services.publishableKeys
    this.#dashboardCalls = services.dashboardCalls
    this.#onError = onError
  }

  /** Unique to each version of the template and each look that keys define. */
  nameOf({ digest, revision }: TemplateRecord, { widthPx, watermark }: PublishableKey): string {
    const parts = [digest, revision, PACK_FORMAT, widthPx, ...(watermark === null ? [] : [WATERMARK_FORMAT, watermark])]
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  }

  /** The template with this id, if the key opens it. */
  async findTemplate({ templateIds, accountId }: PublishableKey, id: string): Promise<TemplateRecord | null> {
    if (templateIds === null) return this.#templates.get(id)
    return templateIds.includes(id) ? ((await this.#templates.find([id], accountId)).get(id) ?? null) : null
  }

  /**
   * The file of a pack, which is made now if missing; null if it would be too large.
   * @throws {PagePacksSpentError}
   */
  fileOf(record: TemplateRecord, key: PublishableKey): Promise<string | null> {
    const { accountId, widthPx, watermark } = key
    const beforeMaking = async () => {
      const retryAfterS = await this.#dashboardCalls.count(accountId, 'pagePacks')
      if (retryAfterS !== null) throw new PagePacksSpentError(retryAfterS)
    }
    return this.#templates.pagePack(
      record,
      this.nameOf(record, key),
      { widthPx, watermark },
      { accountId, beforeMaking },
    )
  }

  /** Checks for keys that a command or another node has made, since each node has its own pack files. */
  watch(): PeriodicFlush {
    return new PeriodicFlush(
      async () => {
        if (this.#isClosed) return
        const keys = await this.#publishableKeys.madeSince(Date.now() - CLOCK_SKEW_MAX_MS, WATCHED_MAX)
        for (const key of keys) if (!this.#seen.has(key.keyId)) this.makeAhead(key)
        this.#seen = new Set(keys.map(({ keyId }) => keyId))
      },
      WATCH_EVERY_MS,
      this.#onError,
    )
  }

  /** Makes a saved key's packs in the background, one at a time, so that no shopper has to wait for them. */
  makeAhead(key: PublishableKey): void {
    this.#wanted.set(key.keyId, key)
    this.#makeAll(key)
      .catch((error: unknown) => {
        // The remaining packs are made on demand.
        if (!this.#isClosed && !(error instanceof PagePacksSpentError)) this.#onError(error)
      })
      .finally(() => {
        if (this.#wanted.get(key.keyId) === key) this.#wanted.delete(key.keyId)
      })
  }

  /** The same for a saved template, and the keys of its owner. */
  async makeTemplateAhead(accountId: string, templateId: string): Promise<void> {
    for (const key of await this.#publishableKeys.list(accountId))
      if (key.revokedAtMs === null && key.templateIds?.includes(templateId) === true) this.makeAhead(key)
  }

  /** Starts nothing more. */
  close(): void {
    this.#isClosed = true
  }

  async #makeAll(key: PublishableKey): Promise<void> {
    for (const id of await this.#idsOf(key)) {
      // The key was saved again or revoked in the meantime.
      if (this.#isClosed || this.#wanted.get(key.keyId) !== key) return
      if ((await this.#publishableKeys.findById(key.keyId)) === null) return
      const record = await this.findTemplate(key, id)
      if (record !== null) await this.fileOf(record, key)
    }
  }

  async #idsOf({ templateIds, accountId }: PublishableKey): Promise<readonly string[]> {
    if (templateIds !== null) return templateIds.slice(0, MADE_AHEAD_MAX)
    const { templates } = await this.#templates.list({ accountId, page: 1, limit: MADE_AHEAD_MAX })
    return templates.map(({ id }) => id)
  }
}
