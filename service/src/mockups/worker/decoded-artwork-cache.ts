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

type Cached = {
  /** The account and the content. */
  readonly name: string
  readonly artwork: DecodedArtwork
  /** The same with `decodedBy: 'memory'`. */
  readonly again: DecodedArtwork
  usedAtMs: number
}

/** Whose an artwork is, and see `ContentName`; null for one without. */
export type ArtworkName = { readonly accountId: string; readonly contentName: string | null }

export type DecodedArtworkBounds = {
  readonly maxBytes: number
  /** Artwork that was not used for this time is forgotten. */
  readonly cachedForMs: number
}

/**
 * A codec that remembers what it decoded, for the rest of a batch and for minutes after it.
 *
 * The key is the account, the content and the size that was asked for, or that our decoder would decode to:
 * a picture that is merely large enough would make the bytes of a mockup depend on earlier ones. Without the
 * account, the time of a mockup would tell whether another account has sent the same artwork. Forgotten
 * memory is reused when no job may still draw it, so drawing must happen inside `during`.
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
  readonly #cached = new Map<string, Cached>()
  readonly #names = new WeakMap<Uint8Array, string>()
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

  /**
   * Says whose an artwork is: it is found again for this account alone. `contentName` saves hashing it; equal
   * for equal bytes only.
   */
  name(bytes: Uint8Array, { accountId, contentName }: ArtworkName): void {
    this.#names.set(bytes, `${accountId} ${contentName ?? hashOf(bytes)}`)
  }

  /** Forgets what has not been used for too long. */
  sweep(): void {
    const beforeMs = performance.now() - this.#bounds.cachedForMs
    for (const [key, cached] of this.#cached) if (cached.usedAtMs < beforeMs) this.#forget(key, cached)
    this.#giveBack()
  }

  /** Whether another part of this artwork is cached at the size that the target asks for. */
  hasOtherPart(bytes: Uint8Array, target: DecodeTarget): boolean {
    const [, cached] = this.#find(this.#nameOf(bytes), target)
    return cached !== undefined && !coversPart(cached.artwork, target.shown ?? null)
  }

  async #decode(bytes: Uint8Array, target: DecodeTarget | null, facts: ArtworkFacts | null): Promise<DecodedArtwork> {
    const name = this.#nameOf(bytes)
    const [key, known] = this.#find(name, target)
    if (known !== undefined && coversPart(known.artwork, target?.shown ?? null)) {
      this.#cached.delete(key)
      this.#cached.set(key, known)
      known.usedAtMs = performance.now()
      return known.again
    }
    const artwork = await this.#inner.decodeArtwork(bytes, target, facts)
    if (known !== undefined) this.#forget(key, known)
    this.#keep(nameTarget(name, target), name, artwork)
    return artwork
  }

  /** What is cached of an artwork for a target, whatever part of it, and its key. */
  #find(name: string, target: DecodeTarget | null): readonly [key: string, cached: Cached | undefined] {
    const exact = nameTarget(name, target)
    const key = this.#cached.has(exact) ? exact : (this.#findSame(name, target) ?? exact)
    return [key, this.#cached.get(key)]
  }

  /** The key of a picture that our decoder would decode to the same pixels: it has few sizes. */
  #findSame(name: string, target: DecodeTarget | null): string | null {
    for (const [key, { name: of, artwork }] of this.#cached) {
      if (of === name && isDecodedSize(artwork, target)) return key
    }
    return null
  }

  #keep(key: string, name: string, artwork: DecodedArtwork): void {
    // One that fills most of the cache would evict everything else and serve one mockup.
    const sizeBytes = occupiedBytes(artwork)
    if (sizeBytes > this.#bounds.maxBytes / 2) {
      this.#forgotten.push(artwork.data)
      return
    }
    this.#cached.set(key, { name, artwork, again: { ...artwork, decodedBy: 'memory' }, usedAtMs: performance.now() })
    this.#sizeBytes += sizeBytes
    for (const [oldest, cached] of this.#cached) {
      if (this.#sizeBytes <= this.#bounds.maxBytes) return
      this.#forget(oldest, cached)
    }
  }

  #forget(key: string, cached: Cached): void {
    if (!this.#cached.delete(key)) return
    this.#sizeBytes -= occupiedBytes(cached.artwork)
    this.#forgotten.push(cached.artwork.data)
  }

  #giveBack(): void {
    if (this.#jobs > 0) return
    for (const data of this.#forgotten) this.#memory.giveBack(data)
    this.#forgotten = []
  }

  #nameOf(bytes: Uint8Array): string {
    const name = this.#names.get(bytes)
    if (name === undefined) throw new Error('An artwork is decoded before it is named.')
    return name
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function nameTarget(name: string, target: DecodeTarget | null): string {
  return `${name} ${target?.minWidthPx} ${target?.minHeightPx} ${target?.wrapsX} ${target?.wrapsY}`
}

/** Reused memory may be larger than the picture in it. */
function occupiedBytes({ data }: DecodedArtwork): number {
  return data.buffer.byteLength
}
