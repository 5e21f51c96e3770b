/** A photo of 50 megapixels has up to some 40 MB. */
export const MAX_PHOTO_BYTES = 100_000_000

/** Processor time: a photo at 4,000 px takes some 20 s of one core; slow machines have several times that. */
export const PHOTO_PROCESSOR_S = 120

/** By the clock: where everything else comes first it may have a tenth of a core. */
export const PHOTO_TIMEOUT_MS = 10 * 60_000

/** 1,500 for a photo of 16 megapixels with its planes of light, 300 for the program and what V8 reserves. */
export const PHOTO_MEMORY_MIB = 1500 + 300
