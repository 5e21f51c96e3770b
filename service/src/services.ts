import path from 'node:path'
import type { Logger } from 'pino'
import { Accounts } from './accounts/accounts.ts'
import { ApiKeys } from './api-keys/api-keys.ts'
import { ArtworkDownload } from './artwork-download/artwork-download.ts'
import { Audit } from './audit/audit.ts'
import { startReservationSweeper } from './credits/reservation-sweeper.ts'
import { Wallet } from './credits/wallet.ts'
import { type Database, openDatabase } from './database/database.ts'
import { Instance } from './database/instance.ts'
import { PeriodicFlush } from './database/periodic-flush.ts'
import { Idempotency } from './idempotency/idempotency.ts'
import { MockupGenerator } from './mockups/generate-mockups.ts'
import { PrivateFolders } from './mockups/private-folders.ts'
import { RenderPool } from './mockups/render-pool.ts'
import { renderProgramPaths, renderWorkerFile } from './mockups/worker-files.ts'
import { Metrics } from './observability/metrics.ts'
import { DatabaseRateLimiter, type RateLimiter } from './rate-limits/rate-limiter.ts'
import { RedisRateLimiter } from './rate-limits/redis-rate-limiter.ts'
import type { Settings } from './settings/load-settings.ts'
import { readLibraryPath } from './settings/process-environment.ts'
import { freeDiskBytes } from './storage/free-disk.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import { openObjectStorage } from './storage/open-object-storage.ts'
import { openTemplateStore } from './templates/open-template-store.ts'
import type { TemplateStore } from './templates/template-store.ts'
import { Usage } from './usage/usage.ts'

/** Interval at which expired answers, old counts and replaced templates are deleted. */
const HOUSEKEEPING_MS = 60_000

/** Everything that a serving process has open, by name. */
export type Services = {
  readonly database: Database
  readonly storage: ObjectStorage
  readonly accounts: Accounts
  readonly audit: Audit
  readonly apiKeys: ApiKeys
  readonly rateLimiter: RateLimiter
  readonly wallet: Wallet
  readonly usage: Usage
  readonly templates: TemplateStore
  readonly idempotency: Idempotency
  readonly pool: RenderPool
  readonly generator: MockupGenerator
  readonly folders: PrivateFolders
  readonly metrics: Metrics
  /** Why the service can take no work; null where it can. Throws while a dependency does not work. */
  readonly checkReady: () => Promise<string | null>
  /** Ends what runs, writes what is counted, and closes everything. */
  close(): Promise<void>
}

/**
 * Opens the services, and gives back what a dead process of this installation left reserved.
 *
 * @throws {DatabaseRefusedError} with one sentence for the operator
 */
export async function openServices(settings: Settings, logger: Logger, mockupTimeoutMs?: number): Promise<Services> {
  const stack = new AsyncDisposableStack()
  try {
    return await openInto(stack, settings, logger, mockupTimeoutMs)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function openInto(
  stack: AsyncDisposableStack,
  settings: Settings,
  logger: Logger,
  mockupTimeoutMs: number | undefined,
): Promise<Services> {
  const onError = (error: unknown) => logger.error({ err: error }, 'work in the background failed and is tried again')
  const dataDir = path.resolve(settings.DATA_DIR)
  const database = await openDatabase({ databaseUrl: settings.DATABASE_URL, dataDir })
  stack.defer(() => database.close())
  const instance = await Instance.claim(database)
  stack.defer(() => instance.release())
  const wallet = new Wallet(database, { instanceId: instance.id })
  // The metrics are made first: storage and pool report to them from their start. They read the pool later.
  const metrics = new Metrics(() => pool.state)
  const storage = openObjectStorage(settings, (...operation) => metrics.noteStorage(...operation))
  const idempotency = new Idempotency(database, { bodies: storage, instanceId: instance.id })
  await wallet.recoverAtStart()
  await idempotency.recoverAtStart()

  const accounts = new Accounts(database)
  const audit = new Audit(database, { onError })
  stack.defer(() => audit.close())
  const apiKeys = new ApiKeys(database, { onError })
  stack.defer(() => apiKeys.close())
  const ownCounters = new DatabaseRateLimiter(database, { onError })
  const rateLimiter =
    settings.REDIS_URL === undefined
      ? ownCounters
      : new RedisRateLimiter(settings.REDIS_URL, { fallback: ownCounters, onError })
  stack.defer(() => rateLimiter.close())
  const usage = new Usage(database, { onError })
  stack.defer(() => usage.close())
  const templates = openTemplateStore(settings, database, storage)

  const folders = await PrivateFolders.open(path.join(dataDir, 'tmp'))
  const processFolders = await PrivateFolders.open(path.join(dataDir, 'cache/processes'))
  const pool: RenderPool = await RenderPool.start({
    workerFile: renderWorkerFile,
    readablePaths: renderProgramPaths,
    tempRoot: processFolders.root,
    libraryPath: readLibraryPath(),
    processCount: settings.RENDER_WORKERS,
    queueLimit: settings.RENDER_QUEUE_LIMIT,
    ...(mockupTimeoutMs === undefined ? {} : { mockupTimeoutMs }),
    onProcessLost: reason => {
      metrics.noteLostProcess()
      logger.warn({ reason }, 'a render process ended and is replaced')
    },
  })
  stack.use(pool)
  const download = new ArtworkDownload({
    allowedPrivateHosts: settings.ARTWORK_ALLOWED_PRIVATE_HOSTS,
    deadlineMs: settings.ARTWORK_TIMEOUT_SECONDS * 1000,
  })
  const generator = new MockupGenerator({ templates, wallet, idempotency, download, pool, onCleanUpFailed: onError })

  const sweeper = startReservationSweeper(wallet, { onError })
  stack.defer(() => sweeper.stop())
  const housekeeping = new PeriodicFlush(
    async () => {
      await idempotency.sweep(Date.now())
      await usage.forgetOldDays()
      await templates.prune()
      await audit.forgetOld()
    },
    HOUSEKEEPING_MS,
    onError,
  )
  stack.defer(() => housekeeping.stop())

  return {
    database,
    storage,
    accounts,
    audit,
    apiKeys,
    rateLimiter,
    wallet,
    usage,
    templates,
    idempotency,
    pool,
    generator,
    folders,
    metrics,
    checkReady: async () => {
      await database.queries.selectNoFrom(build => build.lit(1).as('one')).execute()
      const isFull = (await freeDiskBytes(dataDir)) < settings.FREE_DISK_MEGABYTES_MIN * 1024 * 1024
      return isFull ? 'the disk is full' : null
    },
    close: () => stack.disposeAsync(),
  }
}
