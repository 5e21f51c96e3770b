import { createHash } from 'node:crypto'
import {
  type ArtworkFacts,
  coversPart,
  type DecodedArtwork,
  type DecodeTarget,
  type ImageCodec,
  nameDecodedSize,
  type PixelMemory,
} from '@vitrine/engine'

type Kept = {
  readonly hash: string
  readonly artwork: DecodedArtwork
  /** the same, as it is given to everybody after the first */
  readonly again: DecodedArtwork
  usedAtMs: number
}

/** How decoded artwork is kept. */
export type DecodedArtworkBounds = {
  readonly maxBytes: number
  /** Artwork that nobody asked for in so long is forgotten. */
  readonly keptForMs: number
}

/**
 * A codec that remembers what it decoded, for the rest of a batch and for minutes after it.
 *
 * Known by the content's name, or its SHA-256 where nobody named it, and the exact size that was asked for,
 * or, where our own decoder serves, the size that it would decode to: a picture that is merely large enough
 * would make the bytes of a mockup depend on what was rendered before it.
 *
 * It owns what it decoded: what it forgets, or never kept, goes back to the decoder's memory as soon as no
 * job runs that may still draw it. So drawing must happen inside `during`.
 */
export class DecodedArtworkCache {
  readonly codec: ImageCodec
  readonly #inner: ImageCodec
  readonly #bounds: DecodedArtworkBounds
  readonly #memory: PixelMemory
  /** Forgotten, but perhaps still drawn by the job that runs. */
  #forgotten: Uint8Array[] = []
  #jobs = 0
  /** In the order of use, the longest unused one first. */
  readonly #kept = new Map<string, Kept>()
  readonly #hashes = new WeakMap<Uint8Array, string>()
  #sizeBytes = 0

  /** `memory`: where `inner` decodes to. */
  constructor(inner: ImageCodec, bounds: DecodedArtworkBounds, memory: PixelMemory) {
    this.#inner = inner
    this.#bounds = bounds
    this.#memory = memory
    this.codec = { ...inner, decodeArtwork: (bytes, target, facts) => this.#decode(bytes, target, facts ?? null) }
  }

  /**
   * A job that decodes and draws. What it got from the codec has its pixels until it ends, whatever is
   * forgotten meanwhile.
   */
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
   * Tells what an artwork's bytes are known by, so that they need not be hashed: the same for the same bytes,
   * and nothing else.
   */
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

  /**
   * The key of a picture that our own decoder would decode to the very same pixels for this target: it knows
   * few sizes, so templates share them.
   */
  #findSame(hash: string, target: DecodeTarget | null): string | null {
    for (const [key, { hash: of, artwork }] of this.#kept) {
      if (of !== hash || artwork.decodedBy !== 'vitrine') continue
      const { sourceWidthPx, sourceHeightPx, extent } = artwork
      const wanted = nameDecodedSize(sourceWidthPx, sourceHeightPx, target)
      const eighths = `${Math.round((8 * extent.width) / sourceWidthPx)} ${Math.round((8 * extent.height) / sourceHeightPx)}`
      if (eighths === wanted) return key
    }
    return null
  }

  #keep(key: string, hash: string, artwork: DecodedArtwork): void {
    // One that fills most of the room would drive out everything else and serve one mockup.
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

/** What keeping it takes: memory that is used again may be larger than the picture in it. */
function occupiedBytes({ data }: DecodedArtwork): number {
  return data.buffer.byteLength
}
