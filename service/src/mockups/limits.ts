import type { WorkBounds } from '../sandbox/work-limit.ts'

/** Requests that may wait for a render process, in all: the minimum that the interface promises. */
export const DEFAULT_QUEUE_LIMIT = 64

/** The deadline of a whole request: clients give up at 30 s. */
export const REQUEST_BUDGET_MS = 28_000

/**
 * Limits of one mockup, after which its process is killed. The processor time is ten times that of the
 * slowest. The wall-clock limit ends a process that is stuck, long after its request has been answered.
 */
export const mockupBounds: WorkBounds = { processorMs: 20_000, clockMs: 120_000 }

/** Memory limit of a render process: 512 MiB of decoded artwork, its reduced copies and templates. */
export const DEFAULT_PROCESS_MEMORY_MIB = 1536

/** Resident memory of the service above which it admits no request. Normally it stays below 300 MiB. */
export const DEFAULT_SERVICE_MEMORY_MIB = 1024

/** A process with more resident memory is replaced after its job, because allocators retain freed memory. */
export const RECYCLE_RESIDENT_MIB = 900

/** Jobs after which a process is replaced, in case of slow leaks. A start costs 250 small mockups. */
export const RECYCLE_JOB_COUNT = 20_000

/**
 * While a process runs a job expected to take at most this long, it is sent its next job, to avoid idling in
 * between. After a longer job, another process might be free sooner.
 */
export const AHEAD_OF_MS = 50

/** How many jobs at the front of the queue may be preferred because their template is warm. */
export const WARM_REACH = 8

/** How often the first job in the queue may be overtaken. */
export const MAX_PASSED_OVER = 3

/** A job expected to take longer overtakes no other: fairness matters more than a warm template. */
export const PASSING_MAX_MS = 100

/**
 * How long a request of an account with credits keeps its place in the queue while its body arrives. Most
 * bodies are complete by then, and under overload no body is read that must then be refused.
 */
export const EARLY_PERMIT_MS = 250

/** Interval at which a working render process checks for messages, such as cancellations. */
export const WORK_SLICE_MS = 50

/** How long a process stays free of accounts in debt after another account asked. */
export const DEBT_FREE_FOR_MS = 60_000

/** Limits of a process's start, which takes a third of a second on an idle core. */
export const startBounds: WorkBounds = { processorMs: 30_000, clockMs: 120_000 }

/**
 * Bundles linked in a render process's folder. It must exceed those of two jobs (12 each), so that the
 * current and the next job have theirs, and be small, because a link keeps a replaced bundle on the disk.
 */
export const PROCESS_BUNDLES_MAX_COUNT = 48
