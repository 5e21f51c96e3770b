/** Limits for artwork and the layers of bundles, checked on the container before a decoder sees the file. */

/** 100 megapixels: above any camera that sells prints, and half a second of decoding. */
export const MAX_PIXELS = 100_000_000

/** A longer side is a strip, not a print: 1 x 10,000,000 pixels of 19 KB took 1.6 s to decode. */
export const MAX_SIDE_PX = 16_384

/** A pixel limit is no memory limit: 16-bit RGBA takes eight times the memory of grey. */
export const MAX_DECODED_SIZE_BYTES = 512 * 1024 * 1024

/** Interlaced and progressive pictures are held in memory as a whole while they decode, beside the result. */
export const MAX_PROGRESSIVE_SIZE_BYTES = 256 * 1024 * 1024

/** A GIF frame that covers a part of its canvas is placed in memory: 35 bytes can ask for any canvas. */
export const MAX_PLACED_PIXELS = 25_000_000

/**
 * Encoders write 1 to about 15 scans. 20,001 scans in 388 KB keep a decoder busy for 9.5 s without a break.
 */
export const MAX_JPEG_SCANS = 100

/** Every scan walks every block: 5.2 ms per scan of 49 megapixels. This is half a second of scans. */
export const MAX_JPEG_SCAN_PIXELS = 5_000_000_000

/** Tables may be sent again before each scan: 8 for each of 100 scans, with a margin. */
export const MAX_JPEG_SEGMENTS = 2_000

/** Previews, XMP and comments before the picture. Cameras stay below 2 MiB. */
export const MAX_JPEG_METADATA_SIZE_BYTES = 8 * 1024 * 1024

/** The largest press profiles have 2 to 3 MB. Also the bound for unpacking a zlib-packed profile. */
export const MAX_PROFILE_SIZE_BYTES = 4 * 1024 * 1024

/** One APP1 segment holds 64 KiB at most, so no EXIF block written by a camera is larger. */
export const MAX_EXIF_SIZE_BYTES = 64 * 1024
