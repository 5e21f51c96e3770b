/** The shopper's picture: from a file or an address, with its hash. Nothing is sent anywhere. */
import { limits } from '@vitrine/contract/limits'
import { EmbedError } from './preview-service.ts'

/** A file, bytes, or an address that the page may read. */
export type ArtworkSource = Blob | Uint8Array | string | URL

export type LoadedArtwork = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string }

/** @throws EmbedError ARTWORK_NOT_LOADED, ARTWORK_REFUSED */
export async function loadArtwork(source: ArtworkSource, signal: AbortSignal): Promise<LoadedArtwork> {
  const bytes = source instanceof Uint8Array ? source.slice() : await read(source, signal)
  if (bytes.byteLength > limits.artworkSizeBytesMax)
    throw new EmbedError(
      'ARTWORK_REFUSED',
      `Expected a picture of at most ${limits.artworkSizeBytesMax / 1024 / 1024} MB but received ${(bytes.byteLength / 1024 / 1024).toFixed(1)} MB.`,
    )
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, sha256: Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('') }
}

async function read(source: Blob | string | URL, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer())
  try {
    const response = await fetch(new URL(source, document.baseURI), { signal })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    throw new Error(`status ${response.status}`)
  } catch (cause) {
    if (signal.aborted) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmbedError('ARTWORK_NOT_LOADED', `The picture could not be loaded (${reason}).`)
  }
}
