import type { ArtworkType } from './artwork-facts.ts'

/** The number of bytes that identify a picture's type. */
export const ARTWORK_TYPE_BYTES = 12

/** The type of picture that begins with these bytes, or null if it is not artwork. */
export function findArtworkType(bytes: Uint8Array): ArtworkType | null {
  const start = String.fromCharCode(...bytes.subarray(0, ARTWORK_TYPE_BYTES))
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  return /^RIFF[^]{4}WEBP/.test(start) ? 'webp' : null
}
