/**
 * What artwork may ask of us, each bound with its reason. They hold for the layers of a bundle too.
 * All of them are checked on the bytes of the container, before a decoder sees the file.
 */

/** 100 megapixels: above any camera that sells prints, and half a second of decoding. */
export const MAX_PIXELS = 100_000_000

/** A side above 16,384 px is no print but a strip: 1 x 10,000,000 pixels of 19 KB took 1.6 s to decode. */
export const MAX_SIDE_PX = 16_384

/** A pixel limit is no memory limit: 16-bit RGBA takes eight times the memory of grey. */
export const MAX_DECODED_SIZE_BYTES = 512 * 1024 * 1024

/**
 * Interlaced and progressive pictures are held whole while they decode, beside the result:
 * 49 megapixels of interlaced 16-bit RGBA took 527 MB where the same in rows took 142 MB.
 */
export const MAX_PROGRESSIVE_SIZE_BYTES = 256 * 1024 * 1024

/** We place GIF frames on their canvas in memory: 35 bytes asked for 49 megapixels and took 0.6 s. */
export const MAX_PLACED_PIXELS = 25_000_000

/** Encoders write 1 to 15 scans. 20,001 scans in 388 KB kept a decoder busy for 9.5 s. */
export const MAX_JPEG_SCANS = 100

/** Every scan walks every block: 5.2 ms per scan of 49 megapixels. This is half a second of scans. */
export const MAX_JPEG_SCAN_PIXELS = 5_000_000_000

/** Tables may be sent again before each scan: 8 tables for each of 100 scans, and more. */
export const MAX_JPEG_SEGMENTS = 2_000

/** Previews, XMP and comments before the picture. Cameras stay below 2 MiB; the rest is an attack. */
export const MAX_JPEG_METADATA_SIZE_BYTES = 8 * 1024 * 1024

/** The largest press profiles have 2 to 3 MB. A zlib-packed profile is unpacked no further than this. */
export const MAX_PROFILE_SIZE_BYTES = 4 * 1024 * 1024

/** One APP1 segment holds 64 KiB at most, so no EXIF block written by a camera is larger. */
export const MAX_EXIF_SIZE_BYTES = 64 * 1024
