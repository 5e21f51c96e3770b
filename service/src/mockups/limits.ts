/** Jobs that may wait per node unless the operator says otherwise: the least that the interface's decisions promise. */
export const DEFAULT_QUEUE_LIMIT = 64

/** The whole request must be answered by then: clients give up at 30 s. */
export const REQUEST_BUDGET_MS = 28_000

/**
 * One mockup may take this long before its process is killed. The slowest honest one (4,000 px PNG, cold) takes about 2 s of an idle
 * core, and several times that on a machine that does much else.
 */
export const MOCKUP_TIMEOUT_MS = 20_000

/** Memory that one render process may allocate, in MiB: artwork of 512 MiB decoded, its reduction, and prepared templates. */
export const DEFAULT_PROCESS_MEMORY_MIB = 1536

/**
 * Resident memory of the service's own process beyond which it admits no request, in MiB. Pictures are in files and pass through it in
 * pieces, so that it stays below 300; more means that something holds what it should not.
 */
export const DEFAULT_SERVICE_MEMORY_MIB = 1024

/** How much less urgent than the service's own process a render process is, in steps of Unix niceness. */
export const RENDER_NICENESS = 5

/** A process that has grown beyond this is replaced after its job, in MiB. Allocators keep what big pictures made them take. */
export const RECYCLE_RESIDENT_MIB = 900

/**
 * A process is replaced after so many jobs, so that whatever leaks slowly never adds up. A start, until the program is warm, takes 1.1 s of a
 * core, as much as 250 small mockups: every 2,000 that was an eighth of all the work, every 20,000 it is lost in it. What leaks faster is seen
 * by its memory.
 */
export const RECYCLE_JOB_COUNT = 20_000

/**
 * A process gets its next job ahead while it still works on one that is expected to take no longer than this, in milliseconds. Until the service has heard that one is done and
 * has sent the next, a process would do nothing: a tenth of the time of mockups of 1,000 px under full load. Behind longer ones that is nothing, and waiting there may be.
 */
export const AHEAD_OF_MS = 50

/** How long a process that was asked to drop its job may take to say so before it is killed. */
export const CANCEL_GRACE_MS = 1000

/** How far from the front a job may be picked because a process has its template warm. */
export const WARM_REACH = 8

/** How often the job at the front may be passed over for a warm one. */
export const MAX_PASSED_OVER = 3

/** How long a process may take until it can take jobs. It needs a third of a second; a machine that starts up is slower. */
export const START_TIMEOUT_MS = 30_000
