import type { Authenticator } from './http/authentication.ts'
import type { RequestCounter } from './http/rate-limiting.ts'
import type { UsageRecord } from './http/request-lifecycle.ts'
import type { MockupGenerator } from './mockups/generate-mockups.ts'
import type { PrivateFolders } from './mockups/private-folders.ts'
import type { RenderPool } from './mockups/render-pool.ts'
import type { Metrics } from './observability/metrics.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import type { UsageStatistics } from './usage/usage.ts'

/** A template as the list shows it. */
export interface ListedTemplate {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly type: 'print' | 'product'
  readonly surfaceType: string | null
  readonly renderMode: 'corners' | 'uvmap'
  readonly blendMode: string
  /** By frame index: width / height of the artwork that it expects. */
  readonly aspectRatios: readonly number[]
  readonly thumbnailPath: string
}

/** What the list endpoint asks of the templates. */
export interface TemplateQuery {
  readonly accountId: string
  readonly type?: 'print' | 'product'
  readonly category?: string
  readonly search?: string
  readonly page: number
  readonly limit: number
}

/** The services that the routes stand on, each by what is asked of it. */
export interface AppServices {
  readonly apiKeys: Authenticator
  readonly rateLimiter: RequestCounter
  readonly wallet: { balance(accountId: string): Promise<{ readonly spendableCredits: number }> }
  readonly usage: {
    record(record: UsageRecord): void
    statistics(scope: { accountId: string; keyId?: string }, days: number): Promise<UsageStatistics>
  }
  readonly templates: {
    list(query: TemplateQuery): Promise<{
      readonly templates: readonly ListedTemplate[]
      readonly total: number
      readonly categories: readonly string[]
    }>
    /** The thumbnail (a JPEG) that a path names, or null. */
    openThumbnail(
      path: string,
    ): Promise<{ readonly content: AsyncIterable<Uint8Array>; readonly sizeBytes: number } | null>
  }
  readonly pool: Pick<RenderPool, 'admit' | 'state'>
  readonly generator: Pick<MockupGenerator, 'generate'>
  readonly folders: Pick<PrivateFolders, 'create'>
  /** Keeps the answers of idempotent requests. */
  readonly storage: ObjectStorage
  readonly metrics: Metrics
  /** Throws while a dependency does not work. */
  readonly checkReady: () => Promise<void>
}
