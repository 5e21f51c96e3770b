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
  /** The same artwork with `decodedBy: 'memory'`. */
  readonly reused: DecodedArtwork
  usedAtMs: number
}

/** The owner of an artwork, and its `ContentName`, null if it has none. */
export type ArtworkName = { readonly accountId: string; readonly contentName: string | null }

export type DecodedArtworkBounds = {
  readonly maxBytes: number
  /** Artwork is evicted after this time without use. */
  readonly cachedForMs: number
}

/**
 * An image codec with a cache of decoded artwork, for the rest of a batch and the minutes after it.
 *
 * The key consists of the account, the content and the requested size, or the size that our decoder would
 * decode to: if any larger picture could be used, the bytes of a mockup would depend on earlier ones. If the
 * account were not part of the key, the time of a mockup would reveal whether another account had sent the
 * same artwork. Memory of evicted artwork is reused once no job can still draw it, so drawing must happen
 * inside `during`.
 */
export class DecodedArtworkCache {
  readonly codec: ImageCodec
  readonly #inner: ImageCodec
  readonly #bounds: DecodedArtworkBounds
  readonly #memory: PixelMemory
  /** Evicted, but possibly still drawn by the current job. */
  #evicted: Uint8Array[] = []
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

  /** Runs a job that decodes and draws. What the codec returns to it stays valid until the job ends. */
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
   * Sets the owner of an artwork, for whom alone it is cached. `contentName`, which must differ for different
   * bytes, saves hashing them.
   */
  name(bytes: Uint8Array, { accountId, contentName }: ArtworkName): void {
    this.#names.set(bytes, `${accountId} ${contentName ?? hashOf(bytes)}`)
  }

  /** Evicts what has not been used for too long. */
  sweep(): void {
    const beforeMs = performance.now() - this.#bounds.cachedForMs
    for (const [key, cached] of this.#cached) if (cached.usedAtMs < beforeMs) this.#forget(key, cached)
    this.#giveBack()
  }

  /** Whether another part of this artwork is cached at the size that the target requests. */
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
      return known.reused
    }
    const artwork = await this.#inner.decodeArtwork(bytes, target, facts)
    if (known !== undefined) this.#forget(key, known)
    this.#add(nameTarget(name, target), name, artwork)
    return artwork
  }

  /** The cached part of an artwork that suits a target, with its key. */
  #find(name: string, target: DecodeTarget | null): readonly [key: string, cached: Cached | undefined] {
    const exact = nameTarget(name, target)
    const key = this.#cached.has(exact) ? exact : (this.#findSame(name, target) ?? exact)
    return [key, this.#cached.get(key)]
  }

  /** The key of a cached picture that our decoder would decode to the same pixels: it supports few sizes. */
  #findSame(name: string, target: DecodeTarget | null): string | null {
    for (const [key, { name: of, artwork }] of this.#cached) {
      if (of === name && isDecodedSize(artwork, target)) return key
    }
    return null
  }

  #add(key: string, name: string, artwork: DecodedArtwork): void {
    // A picture that fills most of the cache would evict everything else to serve one mockup.
    const sizeBytes = occupiedBytes(artwork)
    if (sizeBytes > this.#bounds.maxBytes / 2) {
      this.#evicted.push(artwork.data)
      return
    }
    this.#cached.set(key, { name, artwork, reused: { ...artwork, decodedBy: 'memory' }, usedAtMs: performance.now() })
    this.#sizeBytes += sizeBytes
    for (const [oldest, cached] of this.#cached) {
      if (this.#sizeBytes <= this.#bounds.maxBytes) return
      this.#forget(oldest, cached)
    }
  }

  #forget(key: string, cached: Cached): void {
    if (!this.#cached.delete(key)) return
    this.#sizeBytes -= occupiedBytes(cached.artwork)
    this.#evicted.push(cached.artwork.data)
  }

  #giveBack(): void {
    if (this.#jobs > 0) return
    for (const data of this.#evicted) this.#memory.giveBack(data)
    this.#evicted = []
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

/** Reused memory may be larger than the picture. */
function occupiedBytes({ data }: DecodedArtwork): number {
  return data.buffer.byteLength
}
