/** A file of 343 MB takes some 10 s; a machine where everything else goes first has ten times that. */
export const PSD_IMPORT_TIMEOUT_MS = 120_000

/**
 * 1,024 for the file (500 MB at most), its scene and one picture at a time, and 300 for the program and what
 * V8 reserves.
 */
export const PSD_IMPORT_MEMORY_MIB = 1024 + 300

/** In steps of Unix niceness: behind render processes (5), for which customers pay. */
export const PSD_IMPORT_NICENESS = 10
