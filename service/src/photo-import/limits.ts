/** A photo of 50 megapixels has up to about 40 MB. */
export const MAX_PHOTO_BYTES = 100_000_000

/** Processor time: a photo at 4,000 px takes some 20 s of one core; slow machines need several times that. */
export const PHOTO_PROCESSOR_S = 120

/** Wall-clock time: under load it may have only a tenth of a core. */
export const PHOTO_TIMEOUT_MS = 10 * 60_000

/** 1,500 for a photo of 16 megapixels with its light layers, 300 for the program and V8's reserve. */
export const PHOTO_MEMORY_MIB = 1500 + 300
