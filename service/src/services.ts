import path from 'node:path'
import { SAMPLE_ARTWORK_PATH } from '@vitrine/contract'
import type { Logger } from 'pino'
import { AccountBudget } from './account-budget/account-budget.ts'
import { DashboardCalls } from './account-budget/dashboard-calls.ts'
import { Accounts } from './accounts/accounts.ts'
import { ApiKeys } from './api-keys/api-keys.ts'
import { ArtworkDownload } from './artwork-download/artwork-download.ts'
import { Audit } from './audit/audit.ts'
import { Wallet } from './credits/wallet.ts'
import type { Clock } from './database/clock.ts'
import { type Database, openDatabase } from './database/database.ts'
import { Instance } from './database/instance.ts'
import { startHousekeeping } from './housekeeping.ts'
import { Idempotency } from './idempotency/idempotency.ts'
import { joinInstallation } from './installation/join-installation.ts'
import { MockupGenerator } from './mockups/generate-mockups.ts'
import { PreviewOrders } from './mockups/preview-orders.ts'
import { RenderPool } from './mockups/render-pool.ts'
import { renderProgramPaths, renderWorkerFile } from './mockups/worker-files.ts'
import { Metrics } from './observability/metrics.ts'
import { openTelemetry } from './observability/telemetry.ts'
import type { Telemetry } from './observability/traced-request.ts'
import { Proofs } from './proofs/proofs.ts'
import { PsdImportStore } from './psd-import/psd-import-store.ts'
import { PsdImports } from './psd-import/psd-imports.ts'
import { PagePacks } from './publishable-keys/page-packs.ts'
import { PublishableKeys } from './publishable-keys/publishable-keys.ts'
import { DatabaseRateLimiter, type RateLimiter } from './rate-limits/rate-limiter.ts'
import type { RedisSettings } from './rate-limits/redis-client.ts'
import { BackgroundWork } from './sandbox/background-work.ts'
import type { Settings } from './settings/load-settings.ts'
import { readLibraryPath } from './settings/process-environment.ts'
import { publicUrlOf } from './settings/public-url.ts'
import { freeDiskBytes } from './storage/free-disk.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import { openObjectStorage } from './storage/open-object-storage.ts'
import { PrivateFolders } from './storage/private-folders.ts'
import { UploadRoom } from './storage/upload-room.ts'
import { StoredMockups } from './stored-mockups/stored-mockups.ts'
import {
  leastFreeBytesOf,
  openPreparedFiles,
  openTemplateStore,
  sampleArtworkFile,
} from './templates/open-template-store.ts'
import { TemplateMarks } from './templates/template-marks.ts'
import type { BundleWork, TemplateStore } from './templates/template-store.ts'
import { RequestLog } from './usage/request-log.ts'
import { Usage } from './usage/usage.ts'

const DAY_MS = 24 * 3600 * 1000

/** Everything that a serving process has open, by name. */
export type Services = {
  /** The id of this process's instance. */
  readonly instanceId: string
  readonly database: Database
  readonly storage: ObjectStorage
  /** Room for unpaid files on this node's disk, and in the object storage. */
  readonly diskRoom: UploadRoom
  readonly storageRoom: UploadRoom
  readonly accounts: Accounts
  readonly audit: Audit
  readonly apiKeys: ApiKeys
  readonly publishableKeys: PublishableKeys
  readonly pagePacks: PagePacks
  readonly rateLimiter: RateLimiter
  readonly wallet: Wallet
  readonly usage: Usage
  readonly requestLog: RequestLog
  readonly templates: TemplateStore
  readonly templateMarks: TemplateMarks
  readonly proofs: Proofs
  readonly storedMockups: StoredMockups
  readonly psdImports: PsdImports
  readonly psdImportStore: PsdImportStore
  readonly idempotency: Idempotency
  readonly budget: AccountBudget
  readonly dashboardCalls: DashboardCalls
  readonly pool: RenderPool
  readonly generator: MockupGenerator
  readonly previews: PreviewOrders
  readonly folders: PrivateFolders
  readonly metrics: Metrics
  /** Null unless OpenTelemetry is configured. */
  readonly telemetry: Telemetry | null
  /** The clock for times that several nodes compare: the database's. */
  readonly clock: Clock
  /** Whether this process can accept work, and what is wrong with its dependencies. */
  readonly checkReady: () => Promise<Readiness>
  /** Ends running work, writes counts, and closes everything. */
  close(): Promise<void>
}

/** What most tests do without: processes of their own for pictures that are not the subject. */
export type OptionsForTests = {
  /** Render processes start at the first mockup. */
  readonly rendersLate?: boolean | undefined
  readonly bundleWork?: BundleWork | undefined
}

/** `reason`: why the service can accept no work. `problem`: a transient one, despite being ready. */
export type Readiness = { readonly reason: string | null; readonly problem: string | null }

/**
 * Opens the services, and releases the reservations of dead processes of this installation.
 *
 * @throws {DatabaseRefusedError} with one sentence for the operator
 */
export async function openServices(
  settings: Settings,
  logger: Logger,
  forTests: OptionsForTests = {},
): Promise<Services> {
  const stack = new AsyncDisposableStack()
  try {
    return await openInto(stack, settings, { logger, ...forTests })
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

function redisSettings(settings: Settings, urls: readonly string[]): RedisSettings {
  return {
    urls,
    topology: settings.REDIS_TOPOLOGY,
    sentinelName: settings.REDIS_SENTINEL_NAME,
    sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
    caFile: settings.REDIS_CA_FILE,
  }
}

async function openInto(
  stack: AsyncDisposableStack,
  settings: Settings,
  { logger, rendersLate = false, bundleWork }: OptionsForTests & { readonly logger: Logger },
): Promise<Services> {
  const onError = (error: unknown) => logger.error({ err: error }, 'work in the background failed and is tried again')
  const dataDir = path.resolve(settings.DATA_DIR)
  // Created first, since all others report to it from their start. It reads from them only later.
  const metrics = new Metrics({
    load: () => ({ ...pool.state, arrivingCount: budget.arrivingCount }),
    databaseSilentMs: () => instance.silentMs,
    poolState: settings.DATABASE_URL === undefined ? null : () => database.poolState,
    isRedisAway: settings.REDIS_URL === undefined ? null : () => redisLimiter?.isAway ?? false,
  })
  const telemetry = await openTelemetry(settings, metrics, onError)
  stack.defer(() => telemetry?.close())
  const database = await openDatabase(
    { databaseUrl: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL_SIZE, dataDir },
    (...transaction) => metrics.noteTransaction(...transaction),
  )
  stack.defer(() => database.close())
  const instance = await Instance.claim(database, {
    onChange: problem => {
      if (problem === null) logger.info('the database works again')
      else logger.error({ problem }, 'requests that need the database are answered 503')
    },
  })
  stack.defer(() => instance.release())
  const { id: instanceId, clock } = instance
  const wallet = new Wallet(database, {
    instanceId,
    clock,
    observer: {
      onGivenBack: (...swept) => metrics.noteGivenBack(...swept),
      onOldestOpen: createdAtMs => metrics.noteOldestReservation(createdAtMs),
    },
  })
  const storage = openObjectStorage(settings, (...operation) => metrics.noteStorage(...operation))
  const idempotency = new Idempotency(database, { bodies: storage, instanceId, clock })
  await joinInstallation({ settings, database, instance, storage })
  await wallet.recoverAtStart()
  await idempotency.recoverAtStart()

  const accounts = new Accounts(database, { clock })
  const audit = new Audit(database, { clock, onError })
  stack.defer(() => audit.close())
  const apiKeys = new ApiKeys(database, { clock, onError })
  stack.defer(() => apiKeys.close())
  const publishableKeys = new PublishableKeys(database, { clock })
  const ownCounters = new DatabaseRateLimiter(database, {
    // A single node can use the monotonic clock, unaffected by adjustments of the system's time.
    ...(database.kind === 'postgres' ? { clock, countNodes: () => instance.liveNodes } : {}),
    onError,
  })
  const redisLimiter =
    settings.REDIS_URL === undefined
      ? null
      : new (await import('./rate-limits/redis-rate-limiter.ts')).RedisRateLimiter(
          redisSettings(settings, settings.REDIS_URL),
          {
            fallback: ownCounters,
            clock,
            onChange: error => {
              if (error === null) logger.info('Redis counts rate limits again')
              else
                logger.warn(
                  { err: error },
                  'Redis (REDIS_URL) does not answer: this node counts its share of rate limits itself',
                )
            },
          },
        )
  const rateLimiter = redisLimiter ?? ownCounters
  stack.defer(() => rateLimiter.close())
  const usage = new Usage(database, { clock, onError })
  stack.defer(() => usage.close())
  const requestLog = new RequestLog(database, { clock, onError })
  stack.defer(() => requestLog.close())
  const leastFreeBytes = leastFreeBytesOf(settings)
  const diskRoom = new UploadRoom(dataDir, leastFreeBytes)
  const storageRoom = settings.S3_ENDPOINT === undefined ? diskRoom : new UploadRoom(null, leastFreeBytes)
  const background = new BackgroundWork()
  const templates = openTemplateStore(settings, database, storage, {
    clock,
    room: diskRoom,
    background,
    work: bundleWork,
    onImported: (accountId, templateId) => void pagePacks.makeTemplateAhead(accountId, templateId).catch(onError),
  })
  const psdImportStore = new PsdImportStore(database, storage, clock)
  const psdImports = new PsdImports(
    psdImportStore,
    storage,
    templates,
    {
      onError,
      onInterrupted: importId =>
        logger.warn(
          { importId },
          'the stop interrupted the conversion of a Photoshop file: its owner has to start it again',
        ),
    },
    background,
  )
  stack.defer(() => psdImports.close())

  const folders = await PrivateFolders.open(path.join(dataDir, 'tmp'))
  const processFolders = await PrivateFolders.open(path.join(dataDir, 'cache/processes'))
  const preparedFiles = await openPreparedFiles(settings, background)
  const budget = new AccountBudget({
    wallet,
    queueLimit: settings.RENDER_QUEUE_LIMIT,
    unpaidRenderSeconds: settings.UNPAID_RENDER_SECONDS,
    onRefusal: name => metrics.noteBudgetRefusal(name),
  })
  const dashboardCalls = new DashboardCalls(rateLimiter, {
    onRefusal: () => metrics.noteBudgetRefusal('dashboard_calls'),
  })
  const pagePacks = new PagePacks({ templates, publishableKeys, dashboardCalls }, onError)
  const packWatch = pagePacks.watch()
  stack.defer(() => packWatch.stop())
  stack.defer(() => pagePacks.close())
  const pool: RenderPool = await RenderPool.start({
    workerFile: renderWorkerFile,
    readablePaths: renderProgramPaths,
    tempRoot: processFolders.root,
    libraryPath: readLibraryPath(),
    preparedSource: preparedFiles,
    processCount: settings.RENDER_WORKERS,
    queueLimit: settings.RENDER_QUEUE_LIMIT,
    startsAtFirstJob: rendersLate,
    onProcessLost: reason => {
      metrics.noteLostProcess()
      logger.warn({ reason }, 'a render process ended and is replaced')
    },
    onShareExhausted: () => metrics.noteBudgetRefusal('admitted'),
    onTemplate: isWarm => metrics.noteTemplate(isWarm),
    assertMayRender: accountId => budget.assertMayRender(accountId),
    isInDebt: accountId => budget.isInDebt(accountId),
    background,
  })
  stack.use(pool)
  const download = new ArtworkDownload({
    allowedPrivateHosts: settings.ARTWORK_ALLOWED_PRIVATE_HOSTS,
    allowedPorts: settings.ARTWORK_ALLOWED_PORTS,
    deadlineMs: settings.ARTWORK_TIMEOUT_SECONDS * 1000,
    sample: { url: new URL(publicUrlOf(settings) + SAMPLE_ARTWORK_PATH).href, file: sampleArtworkFile },
  })
  const generator = new MockupGenerator({
    templates,
    wallet,
    idempotency,
    download,
    pool,
    clock,
    onCleanUpFailed: onError,
  })

  const templateMarks = new TemplateMarks(database)
  const proofs = new Proofs({ database, storage, clock })
  const storedMockups = new StoredMockups({
    database,
    storage,
    room: storageRoom,
    retentionMs: settings.STORED_MOCKUPS_DAYS * DAY_MS,
    bytesMax: settings.STORED_MOCKUPS_MIB * 1024 * 1024,
    onDropped: (err, accountId) => logger.warn({ err, accountId }, 'a mockup was not stored for My mockups'),
    clock,
  })

  startHousekeeping(stack, {
    database,
    instance,
    storage,
    dataDir,
    metrics,
    generator,
    wallet,
    templates,
    preparedFiles,
    idempotency,
    usage,
    requestLog,
    proofs,
    storedMockups,
    psdImportStore,
    audit,
    background,
    onError,
  })
  // Disposed of before the last runs of these wait for it.
  stack.use(background)

  return {
    instanceId,
    database,
    storage,
    diskRoom,
    storageRoom,
    accounts,
    audit,
    apiKeys,
    publishableKeys,
    pagePacks,
    rateLimiter,
    wallet,
    usage,
    requestLog,
    templates,
    templateMarks,
    proofs,
    storedMockups,
    psdImports,
    psdImportStore,
    idempotency,
    budget,
    dashboardCalls,
    pool,
    generator,
    previews: new PreviewOrders(),
    folders,
    metrics,
    telemetry,
    clock,
    checkReady: async () => {
      const { problem } = instance
      if (instance.isTakenForDead) return { reason: problem ?? 'the database does not answer', problem }
      const freeBytes = await freeDiskBytes(dataDir).catch(() => null)
      if (freeBytes === null) return { reason: 'the data folder cannot be read', problem }
      const isFull = freeBytes < settings.FREE_DISK_MEGABYTES_MIN * 1024 * 1024
      return { reason: isFull ? 'the disk is full' : null, problem }
    },
    close: () => stack.disposeAsync(),
  }
}
