import path from 'node:path'
import type { Audit } from './audit/audit.ts'
import type { Wallet } from './credits/wallet.ts'
import type { Database } from './database/database.ts'
import type { Instance } from './database/instance.ts'
import { holdLease, releaseLeases } from './database/lease.ts'
import { PeriodicFlush } from './database/periodic-flush.ts'
import { removeOrphanedBodies } from './idempotency/answer-bodies.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { MockupGenerator } from './mockups/generate-mockups.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Proofs } from './proofs/proofs.ts'
import type { PsdImportStore } from './psd-import/psd-import-store.ts'
import type { BackgroundWork } from './sandbox/background-work.ts'
import { folderBytes, freeDiskBytes } from './storage/free-disk.ts'
import type { ObjectStorage } from './storage/object-storage.ts'
import type { StoredMockups } from './stored-mockups/stored-mockups.ts'
import { PREPARED_EVERY_MS } from './templates/limits.ts'
import type { PreparedFiles } from './templates/prepared-files.ts'
import type { TemplateStore } from './templates/template-store.ts'
import type { RequestLog } from './usage/request-log.ts'
import type { Usage } from './usage/usage.ts'

/** Together with the 30 s until a silent process counts as dead, within the promised 60 s. */
const SWEEP_MS = 10_000

/** Interval at which expired answers, old counts and replaced templates are deleted. */
const HOUSEKEEPING_MS = 60_000

/** When a node dies, another takes over its housekeeping within this time plus a minute. */
const HOUSEKEEPING_LEASE_MS = 3 * HOUSEKEEPING_MS

/** A removed template is deleted from this node's disk a minute after its last request began. */
const CACHE_TRIM_MS = 10_000

/** Minimum interval between checks of all saved bodies, each of which lists the object storage. */
const BODY_LISTING_MS = 3_600_000

type Tended = {
  readonly database: Database
  readonly instance: Instance
  readonly storage: ObjectStorage
  readonly dataDir: string
  readonly metrics: Metrics
  readonly generator: MockupGenerator
  readonly wallet: Wallet
  readonly templates: TemplateStore
  readonly preparedFiles: PreparedFiles
  readonly idempotency: Idempotency
  readonly usage: Usage
  readonly requestLog: RequestLog
  readonly proofs: Proofs
  readonly storedMockups: StoredMockups
  readonly psdImportStore: PsdImportStore
  readonly audit: Audit
  readonly background: BackgroundWork
  readonly onError: (error: unknown) => void
}

/** Starts the service's periodic tasks. Disposing of `stack` ends them. */
export function startHousekeeping(stack: AsyncDisposableStack, tended: Tended): void {
  const { database, templates, preparedFiles, background, onError } = tended
  const sweeper = new PeriodicFlush(
    async () => {
      await tended.generator.cleanUpAgain()
      await tended.wallet.sweep()
      await tended.idempotency.recoverAtStart()
    },
    SWEEP_MS,
    onError,
  )
  stack.defer(() => sweeper.stop())
  const trimmer = new PeriodicFlush(
    async () => {
      await background.idle()
      await templates.trimCache()
      await background.idle()
      await preparedFiles.trim(prefixes => templates.findNamed(prefixes))
    },
    CACHE_TRIM_MS,
    onError,
  )
  stack.defer(() => trimmer.stop())
  const preparer = new PeriodicFlush(() => preparedFiles.makeNext(), PREPARED_EVERY_MS, onError)
  stack.defer(() => preparer.stop())
  // Closed before waiting for the file in progress.
  stack.defer(() => preparedFiles.close())
  void noteDisk(tended).catch(onError)
  const housekeeping = new PeriodicFlush(buildHousekeeping(tended), HOUSEKEEPING_MS, onError)
  stack.defer(async () => {
    await housekeeping.stop()
    await releaseLeases(database, tended.instance.id)
  })
}

/** One round. Everything but the node's own disk is done by one node for all. */
function buildHousekeeping(tended: Tended): () => Promise<void> {
  const { database, instance, storage, templates, idempotency, background } = tended
  let bodiesListedAtMs = 0
  return async () => {
    await background.idle()
    await templates.removeBrokenOff()
    await noteDisk(tended)
    const holder = { instanceId: instance.id, clock: instance.clock }
    if (!(await holdLease(database, 'housekeeping', holder, HOUSEKEEPING_LEASE_MS))) return
    for (const step of [
      () => idempotency.sweep(),
      () => tended.usage.forgetOldDays(),
      () => tended.requestLog.forgetOld(),
      () => templates.prune(),
      () => tended.proofs.prune(),
      () => tended.storedMockups.prune(),
      () => tended.psdImportStore.sweep(),
      () => tended.audit.forgetOld(),
    ]) {
      await background.idle()
      await step()
    }
    if (Date.now() - bodiesListedAtMs < BODY_LISTING_MS) return
    await background.idle()
    await removeOrphanedBodies(storage, Date.now())
    await storage.removeUnfinished(Date.now())
    bodiesListedAtMs = Date.now()
  }
}

/** Each node has its own disk. */
async function noteDisk({ dataDir, metrics }: Tended): Promise<void> {
  metrics.noteDisk({
    cacheBytes: await folderBytes(path.join(dataDir, 'cache')),
    freeBytes: await freeDiskBytes(dataDir),
  })
}
