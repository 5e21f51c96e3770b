/** Limits for artwork and layers of bundles, checked on the container before a decoder reads the file. */

/** 100 megapixels: more than any camera used for prints has, and half a second of decoding. */
export const MAX_PIXELS = 100_000_000

/** With a longer side it is no print: 1 x 10,000,000 pixels in 19 KB took 1.6 s to decode. */
export const MAX_SIDE_PX = 16_384

/** Pixels alone do not limit memory: 16-bit RGBA takes eight times the memory of grey. */
export const MAX_DECODED_SIZE_BYTES = 512 * 1024 * 1024

/** Interlaced and progressive pictures are held in memory while decoding, in addition to the result. */
export const MAX_PROGRESSIVE_SIZE_BYTES = 256 * 1024 * 1024

/** A GIF frame smaller than its canvas is placed in memory: 35 bytes can declare any canvas. */
export const MAX_PLACED_PIXELS = 25_000_000

/** Encoders write 1 to about 15 scans. 20,001 scans in 388 KB occupy a decoder for 9.5 s. */
export const MAX_JPEG_SCANS = 100

/** Every scan visits every block: 5.2 ms per scan of 49 megapixels. This is half a second of scans. */
export const MAX_JPEG_SCAN_PIXELS = 5_000_000_000

/** Tables may be repeated before each scan: 8 for each of 100 scans, with a margin. */
export const MAX_JPEG_SEGMENTS = 2_000

/** Previews, XMP and comments before the picture. Cameras write less than 2 MiB. */
export const MAX_JPEG_METADATA_SIZE_BYTES = 8 * 1024 * 1024

/** The largest press profiles have 2 to 3 MB. Also the limit for inflating a compressed profile. */
export const MAX_PROFILE_SIZE_BYTES = 4 * 1024 * 1024

/** An APP1 segment has at most 64 KiB, so no camera writes a larger EXIF block. */
export const MAX_EXIF_SIZE_BYTES = 64 * 1024
