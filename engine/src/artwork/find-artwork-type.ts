import type { ArtworkType } from './artwork-facts.ts'

/** As many bytes tell what a picture is. */
export const ARTWORK_TYPE_BYTES = 12

/** The type that these bytes begin as, or null for a file that is no artwork. */
export function findArtworkType(bytes: Uint8Array): ArtworkType | null {
  const start = String.fromCharCode(...bytes.subarray(0, ARTWORK_TYPE_BYTES))
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  return /^RIFF[^]{4}WEBP/.test(start) ? 'webp' : null
}
