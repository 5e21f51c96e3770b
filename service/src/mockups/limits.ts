import type { WorkBounds } from '../sandbox/work-limit.ts'

/** Jobs that may wait per process: the least that the interface promises. */
export const DEFAULT_QUEUE_LIMIT = 64

/** Time for a whole request: clients give up at 30 s. */
export const REQUEST_BUDGET_MS = 28_000

/**
 * What one mockup may take before its process is killed. Processor time: ten times what the slowest
 * takes. The clock ends a process that waits for what never comes; long before that its request has been
 * answered.
 */
export const mockupBounds: WorkBounds = { processorMs: 20_000, clockMs: 120_000 }

/** Memory that a render process may allocate: 512 MiB of decoded artwork, its reduction and templates. */
export const DEFAULT_PROCESS_MEMORY_MIB = 1536

/** Resident memory of the service's process beyond which it admits no request. It stays below 300 MiB. */
export const DEFAULT_SERVICE_MEMORY_MIB = 1024

/** A process with more resident memory is replaced after its job: allocators keep that of large ones. */
export const RECYCLE_RESIDENT_MIB = 900

/** A process is replaced after so many jobs, against slow leaks. A start costs 250 small mockups. */
export const RECYCLE_JOB_COUNT = 20_000

/**
 * A process whose job is expected to take at most this long is sent its next job ahead, so that it is not
 * idle between two jobs. Behind a longer job another process might take it sooner.
 */
export const AHEAD_OF_MS = 50

/** Jobs at the front of the queue among which one may be preferred because its template is warm. */
export const WARM_REACH = 8

/** How often the first job may be passed over. */
export const MAX_PASSED_OVER = 3

/** A job that is expected to take longer passes no other one: templates are worth less than turns. */
export const PASSING_MAX_MS = 100

/**
 * A request keeps a place in the queue for so long while its body arrives, where its account has credits:
 * all but slow bodies are complete by then, and under overload no body is read for nothing.
 */
export const EARLY_PERMIT_MS = 250

/** A render process looks for messages after this time of work: a cancelled job ends soon after. */
export const WORK_SLICE_MS = 50

/** A process is kept free of accounts in debt for so long after another account asked: a visit's pauses. */
export const DEBT_FREE_FOR_MS = 60_000

/** What a process may take to start. It needs a third of a second of an idle core. */
export const startBounds: WorkBounds = { processorMs: 30_000, clockMs: 120_000 }

/**
 * Bundles that stay linked into a render process's folder. More than two jobs name (12 each), so that the
 * running and the next job keep theirs; few, because a link keeps a replaced bundle on the disk.
 */
export const PROCESS_BUNDLES_MAX_COUNT = 48
