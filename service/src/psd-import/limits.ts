/** Processor time: a file of 343 MB takes some 10 s on two cores; slow machines have several times that. */
export const PSD_IMPORT_PROCESSOR_S = 120

/** By the clock: where everything else comes first an import may have a tenth of a core. */
export const PSD_IMPORT_TIMEOUT_MS = 10 * 60_000

/**
 * 1,024 for the file (500 MB at most), its scene and one picture at a time, and 300 for the program and what
 * V8 reserves.
 */
export const PSD_IMPORT_MEMORY_MIB = 1024 + 300

/** What is not used for an hour is removed: somebody reads the report, and has other work in between. */
export const PSD_IMPORT_UNUSED_MS = 60 * 60_000

/** A file of which no part came is removed after this time: browsers send the first one at once. */
export const PSD_UPLOAD_BEGIN_MS = 5 * 60_000

/** Bytes of all accounts' files, as far as they came: twenty of the largest, hundreds of usual ones. */
export const PSD_IMPORTS_BYTES = 10_000_000_000

/** The process that converts a file says this often that it lives. */
export const PSD_ALIVE_EVERY_MS = 10_000

/** A conversion that was silent for so long died with its process. */
export const PSD_SILENT_MS = 60_000
