/** An inspection takes one core at low priority: two of them beside render processes hold up nothing. */
export const INSPECTIONS_AT_ONCE = 2

/**
 * Imports of a node from the first byte of their body on. Eight zips of 200 MB and two of them unpacked are
 * 2 GB of the data disk.
 */
export const IMPORTS_UNDER_WAY = 8

/** One is inspected while the next one arrives. */
export const IMPORTS_PER_ACCOUNT = 2

/** Of one account. Somebody who tries out a template saves it every few minutes. */
export const IMPORTS_PER_HOUR = 30

/** What imports in the way need, about. */
export const BUSY_RETRY_AFTER_S = 15

/**
 * Processor time: 250 megapixels of layers take 5 to 25 s, and preparing the template as long as its cost
 * allows. Three times that, for slow machines.
 */
export const INSPECTION_PROCESSOR_S = 90

/** By the clock: where everything else comes first an inspection may have a tenth of a core. */
export const INSPECTION_TIMEOUT_MS = 10 * 60_000

/**
 * The program and what V8 reserves (300), the zip and two copies of one file of it (at most 600), and what a
 * template's cost allows (600). A zip of 140 MB with an overlay of 30 megapixels needs 1,280.
 */
export const INSPECTION_MEMORY_MIB = 1536

/** What an inspection keeps of files and decoded layers, so that each is decoded once: two large photos. */
export const DECODED_ONCE_BYTES = 128 * 1024 * 1024

/** Previews in the browser have this width: of a scene that may not be downloaded they show no more. */
export const PREVIEW_WIDTH_PX = 1000

/** Some hundred previews of up to 3 MB; making one again takes a core 1 to 3 s. */
export const PREVIEW_CACHE_BYTES = 256 * 1024 * 1024

/** Objects of replaced and removed versions are kept for requests that began with them. */
export const REMAINS_GRACE_MS = 60 * 60_000

/** Earlier versions of a template. Who edits one goes back some steps, not to the first of hundreds. */
export const VERSIONS_RETAINED = 10

/** SQLite and PostgreSQL bound the parameters of a statement. */
export const PARAMETERS_PER_QUERY = 500

/**
 * Free space of the data disk, above what /readyz asks for, that uploads and imports leave to the database,
 * to kept answers and to mockups on their way: 64 requests with 4 MB each.
 */
export const LEAST_FREE_BYTES = 256 * 1024 * 1024

/** On the data disk are the zip, its unpacked files, the objects, and the copy for render processes. */
export const COPIES_ON_DISK = 4

/** Each attempt but the last lost against another import of the same id that was first. */
export const COMMIT_ATTEMPTS = 4

/** Objects of templates that are taken over, stored side by side: a server answers each after a while. */
export const OBJECTS_AT_ONCE = 8

/** A file takes about a second of one core and 20 MB of disk: idle time makes one each of these. */
export const PREPARED_EVERY_MS = 2_000

/** Prepared templates that wait to be written; what is not noted is wanted again with its next use. */
export const PREPARED_WANTED_MAX = 100

/** Templates, with widths, that one mockup has used: 120 bytes each. */
export const PREPARED_USED_ONCE_MAX = 1_000

/** Favourites and tags of one account: every template of a large catalogue with a tag or two. */
export const MARKS_PER_ACCOUNT = 5_000

/** Different tags of one account: all of them are a choice on the page. */
export const TAGS_PER_ACCOUNT = 100
