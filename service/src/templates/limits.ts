/** Concurrent inspections. Each takes one core at low priority: two do not slow down render processes. */
export const INSPECTIONS_AT_ONCE = 2

/**
 * Concurrent imports of a node, from the first byte of their body. Eight zips of 200 MB, two of them also
 * unpacked, take 2 GB of the data disk.
 */
export const IMPORTS_UNDER_WAY = 8

/** Concurrent imports of an account: one is inspected while the next one arrives. */
export const IMPORTS_PER_ACCOUNT = 2

/** Imports of an account per hour. Someone trying out a template saves it every few minutes. */
export const IMPORTS_PER_HOUR = 30

/** Retry-After while other imports are in progress: about the time that they need. */
export const BUSY_RETRY_AFTER_S = 15

/**
 * Processor time of an inspection: 250 megapixels of layers take 5 to 25 s, and preparing the template as
 * long as its cost limit allows. Three times that, for slow machines.
 */
export const INSPECTION_PROCESSOR_S = 90

/** Wall-clock time of an inspection: under load it may have only a tenth of a core. */
export const INSPECTION_TIMEOUT_MS = 10 * 60_000

/**
 * Memory of an inspection: the program and V8's reserve (300), the zip and two copies of one of its files (at
 * most 600), and the template's cost limit (600). A zip of 140 MB with an overlay of 30 megapixels needs
 * 1,280.
 */
export const INSPECTION_MEMORY_MIB = 1536

/** Cache of an inspection's files and decoded layers, so that each is decoded once: two large photos. */
export const DECODED_ONCE_BYTES = 128 * 1024 * 1024

/** Width of previews in the browser. A scene that may not be downloaded is shown no larger. */
export const PREVIEW_WIDTH_PX = 1000

/** Some hundred previews of up to 3 MB; making one again takes a core 1 to 3 s. */
export const PREVIEW_CACHE_BYTES = 256 * 1024 * 1024

/** How long objects of replaced and removed versions are retained for requests that use them. */
export const REMAINS_GRACE_MS = 60 * 60_000

/** Earlier versions retained per template: enough to undo some steps. */
export const VERSIONS_RETAINED = 10

/** SQLite and PostgreSQL limit the parameters of a statement. */
export const PARAMETERS_PER_QUERY = 500

/**
 * Free space of the data disk, in addition to what /readyz requires, that uploads and imports leave to the
 * database, saved answers and mockups in progress: 64 requests with 4 MB each.
 */
export const LEAST_FREE_BYTES = 256 * 1024 * 1024

/** The data disk holds the zip, its unpacked files, the objects, and the copy for render processes. */
export const COPIES_ON_DISK = 4

/** An attempt fails when a concurrent import of the same id commits first. */
export const COMMIT_ATTEMPTS = 4

/** Objects stored concurrently when templates are taken over, since each call to a server has latency. */
export const OBJECTS_AT_ONCE = 8

/** Minimum interval between prepared files. Each takes about a second of one core and 20 MB of disk. */
export const PREPARED_EVERY_MS = 2_000

/** The most prepared templates waiting to be written. Any others are queued again at their next use. */
export const PREPARED_WANTED_MAX = 100

/** The most templates remembered as used once, with their width: 120 bytes each. */
export const PREPARED_USED_ONCE_MAX = 1_000

/** Favourites and tags per account: for every template of a large catalogue, a tag or two. */
export const MARKS_PER_ACCOUNT = 5_000

/** Different tags per account: the page lists all of them. */
export const TAGS_PER_ACCOUNT = 100
