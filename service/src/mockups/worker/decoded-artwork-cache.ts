import { createHash } from 'node:crypto'
import {
  type ArtworkFacts,
  coversPart,
  type DecodedArtwork,
  type DecodeTarget,
  type ImageCodec,
  isDecodedSize,
  type PixelMemory,
} from '@vitrine/engine'

type Kept = {
  readonly hash: string
  readonly artwork: DecodedArtwork
  /** The same with `decodedBy: 'memory'`. */
  readonly again: DecodedArtwork
  usedAtMs: number
}

export type DecodedArtworkBounds = {
  readonly maxBytes: number
  /** Artwork that was not used for this time is forgotten. */
  readonly keptForMs: number
}

/**
 * A codec that remembers what it decoded, for the rest of a batch and for minutes after it.
 *
 * The key is the content and the size that was asked for, or that our decoder would decode to: a picture that
 * is merely large enough would make the bytes of a mockup depend on earlier ones. Forgotten memory is reused
 * when no job may still draw it, so drawing must happen inside `during`.
 */
export class DecodedArtworkCache {
  readonly codec: ImageCodec
  readonly #inner: ImageCodec
  readonly #bounds: DecodedArtworkBounds
  readonly #memory: PixelMemory
  /** Forgotten, but perhaps still drawn by the job that runs. */
  #forgotten: Uint8Array[] = []
  #jobs = 0
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #hashes = new WeakMap<Uint8Array, string>()
  #sizeBytes = 0

  /** @param memory where `inner` decodes to */
  constructor(inner: ImageCodec, bounds: DecodedArtworkBounds, memory: PixelMemory) {
    this.#inner = inner
    this.#bounds = bounds
    this.#memory = memory
    this.codec = { ...inner, decodeArtwork: (bytes, target, facts) => this.#decode(bytes, target, facts ?? null) }
  }

  /** Runs a job that decodes and draws. What it got from the codec keeps its pixels until the job ends. */
  async during<T>(job: () => Promise<T>): Promise<T> {
    this.#jobs++
    try {
      return await job()
    } finally {
      this.#jobs--
      this.#giveBack()
    }
  }

  /** Names an artwork's content, so that it need not be hashed. Equal for equal bytes only. */
  name(bytes: Uint8Array, contentName: string): void {
    this.#hashes.set(bytes, contentName)
  }

  /** Forgets what has not been used for too long. */
  sweep(): void {
    const beforeMs = performance.now() - this.#bounds.keptForMs
    for (const [key, kept] of this.#kept) if (kept.usedAtMs < beforeMs) this.#forget(key, kept)
    this.#giveBack()
  }

  /** Whether another part of this artwork is kept at the size that the target asks for. */
  hasOtherPart(bytes: Uint8Array, target: DecodeTarget): boolean {
    const [, kept] = this.#find(this.#hashOf(bytes), target)
    return kept !== undefined && !coversPart(kept.artwork, target.shown ?? null)
  }

  async #decode(bytes: Uint8Array, target: DecodeTarget | null, facts: ArtworkFacts | null): Promise<DecodedArtwork> {
    const hash = this.#hashOf(bytes)
    const [key, known] = this.#find(hash, target)
    if (known !== undefined && coversPart(known.artwork, target?.shown ?? null)) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      known.usedAtMs = performance.now()
      return known.again
    }
    const artwork = await this.#inner.decodeArtwork(bytes, target, facts)
    if (known !== undefined) this.#forget(key, known)
    this.#keep(nameTarget(hash, target), hash, artwork)
    return artwork
  }

  /** What is kept of an artwork for a target, whatever part of it, and its key. */
  #find(hash: string, target: DecodeTarget | null): readonly [key: string, kept: Kept | undefined] {
    const exact = nameTarget(hash, target)
    const key = this.#kept.has(exact) ? exact : (this.#findSame(hash, target) ?? exact)
    return [key, this.#kept.get(key)]
  }

  /** The key of a picture that our decoder would decode to the same pixels: it has few sizes. */
  #findSame(hash: string, target: DecodeTarget | null): string | null {
    for (const [key, { hash: of, artwork }] of this.#kept) {
      if (of === hash && isDecodedSize(artwork, target)) return key
    }
    return null
  }

  #keep(key: string, hash: string, artwork: DecodedArtwork): void {
    // One that fills most of the cache would evict everything else and serve one mockup.
    const sizeBytes = occupiedBytes(artwork)
    if (sizeBytes > this.#bounds.maxBytes / 2) {
      this.#forgotten.push(artwork.data)
      return
    }
    this.#kept.set(key, { hash, artwork, again: { ...artwork, decodedBy: 'memory' }, usedAtMs: performance.now() })
    this.#sizeBytes += sizeBytes
    for (const [oldest, kept] of this.#kept) {
      if (this.#sizeBytes <= this.#bounds.maxBytes) return
      this.#forget(oldest, kept)
    }
  }

  #forget(key: string, kept: Kept): void {
    if (!this.#kept.delete(key)) return
    this.#sizeBytes -= occupiedBytes(kept.artwork)
    this.#forgotten.push(kept.artwork.data)
  }

  #giveBack(): void {
    if (this.#jobs > 0) return
    for (const data of this.#forgotten) this.#memory.giveBack(data)
    this.#forgotten = []
  }

  #hashOf(bytes: Uint8Array): string {
    const known = this.#hashes.get(bytes)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(bytes).digest('hex')
    this.#hashes.set(bytes, hash)
    return hash
  }
}

function nameTarget(hash: string, target: DecodeTarget | null): string {
  return `${hash} ${target?.minWidthPx} ${target?.minHeightPx} ${target?.wrapsX}`
}

/** Reused memory may be larger than the picture in it. */
function occupiedBytes({ data }: DecodedArtwork): number {
  return data.buffer.byteLength
}
