/** Jobs that may wait per node unless the operator says otherwise: the least that the interface promises. */
export const DEFAULT_QUEUE_LIMIT = 64

/** The whole request must be answered by then: clients give up at 30 s. */
export const REQUEST_BUDGET_MS = 28_000

/**
 * Time for one mockup before its process is killed. The slowest legitimate one (4,000 px PNG, cold) takes
 * about 2 s of an idle core, and several times that on a busy machine.
 */
export const MOCKUP_TIMEOUT_MS = 20_000

/**
 * Memory that one render process may allocate, in MiB: artwork of 512 MiB decoded, its reduction, and
 * prepared templates.
 */
export const DEFAULT_PROCESS_MEMORY_MIB = 1536

/**
 * Resident memory of the service's own process beyond which it admits no request, in MiB. Pictures pass
 * through it in pieces, so that it stays below 300; more means a leak.
 */
export const DEFAULT_SERVICE_MEMORY_MIB = 1024

/** Unix niceness of a render process above that of the service's own process. */
export const RENDER_NICENESS = 5

/**
 * A process that has grown beyond this is replaced after its job, in MiB: allocators keep the memory of large
 * pictures.
 */
export const RECYCLE_RESIDENT_MIB = 900

/**
 * A process is replaced after so many jobs, so that slow leaks do not add up; fast ones are seen by its
 * memory. A start takes 1.1 s of a core until the program is warm, as much as 250 small mockups: 1 % of the
 * work at this number.
 */
export const RECYCLE_JOB_COUNT = 20_000

/**
 * While a process works on a job that is expected to take at most this long, in milliseconds, it is sent its
 * next job. It would be idle between its answer and the next message otherwise: a tenth of the time of 1,000
 * px mockups under full load. Behind longer jobs the idle time does not matter, and a job sent ahead might
 * wait longer than another process would take.
 */
export const AHEAD_OF_MS = 50

/** A process that was asked to cancel its job is killed when it has not confirmed within this time. */
export const CANCEL_GRACE_MS = 1000

/** How far from the front a job may be picked because a process has its template warm. */
export const WARM_REACH = 8

/** How often the job at the front may be passed over for a warm one. */
export const MAX_PASSED_OVER = 3

/** Time for a process to start. It needs a third of a second; a machine that starts up is slower. */
export const START_TIMEOUT_MS = 30_000

/**
 * Bundles that stay linked into a render process's folder. More than two jobs name (12 each), so that the
 * running and the next job keep theirs; few, because a link keeps a replaced bundle on the disk.
 */
export const PROCESS_BUNDLES_MAX_COUNT = 48
