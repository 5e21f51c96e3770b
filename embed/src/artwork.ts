/** Loads the shopper's picture from a file or an address, and hashes it. Nothing is sent anywhere. */
import { limits } from '@vitrine/contract/limits'
import type { ArtworkSource } from './element-types.ts'
import { EmbedError } from './preview-service.ts'

export type LoadedArtwork = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sha256: string
  /** The same bytes, for sending in a form. */
  readonly file: File
}

/** @throws EmbedError ARTWORK_NOT_LOADED, ARTWORK_REFUSED */
export async function loadArtwork(source: ArtworkSource, signal: AbortSignal): Promise<LoadedArtwork> {
  const file = await read(source, signal)
  if (file.size > limits.artworkSizeBytesMax)
    throw new EmbedError(
      'ARTWORK_REFUSED',
      `Expected a picture of at most ${limits.artworkSizeBytesMax / 1024 / 1024} MB but received ${(file.size / 1024 / 1024).toFixed(1)} MB.`,
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, file, sha256: Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('') }
}

async function read(source: ArtworkSource, signal: AbortSignal): Promise<File> {
  if (source instanceof File) return source
  if (source instanceof Blob) return new File([source], 'artwork', { type: source.type })
  if (source instanceof Uint8Array) return new File([source.slice()], 'artwork')
  try {
    const url = new URL(source, document.baseURI)
    const response = await fetch(url, { signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const content = await response.blob()
    return new File([content], url.pathname.split('/').at(-1) || 'artwork', { type: content.type })
  } catch (cause) {
    if (signal.aborted) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmbedError('ARTWORK_NOT_LOADED', `The picture could not be loaded (${reason}).`)
  }
}
