/** Processor time: a file of 343 MB takes some 10 s on two cores; slow machines have several times that. */
export const PSD_IMPORT_PROCESSOR_S = 120

/** Elapsed time: beside other work an import may get a tenth of a core. */
export const PSD_IMPORT_TIMEOUT_MS = 10 * 60_000

/**
 * 1,024 for the file (500 MB at most), its scene and one picture at a time, and 300 for the program and what
 * V8 reserves.
 */
export const PSD_IMPORT_MEMORY_MIB = 1024 + 300

/** An import unused for this long is removed: people read its report between other work. */
export const PSD_IMPORT_UNUSED_MS = 60 * 60_000

/** An import without a received part is removed after this time: browsers send the first one at once. */
export const PSD_UPLOAD_BEGIN_MS = 5 * 60_000

/** Bytes of the received parts of all accounts: twenty of the largest files, hundreds of usual ones. */
export const PSD_IMPORTS_BYTES = 10_000_000_000

/** Interval at which a converting process updates `alive_at_ms`. */
export const PSD_ALIVE_EVERY_MS = 10_000

/** A conversion whose `alive_at_ms` is older than this has ended with its process. */
export const PSD_SILENT_MS = 60_000
