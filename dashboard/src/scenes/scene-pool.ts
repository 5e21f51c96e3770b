/** The gallery's workers and the order of their work: visible scenes first, newer requests replace older. */
import type { DashboardTemplate } from '@vitrine/contract'
import { asError } from '../as-error.ts'
import { type Entry, type Listener, PoolWorker } from './pool-worker.ts'
import type { ArtworkLook, SceneShown, SceneWant } from './scene-messages.ts'

/** With more workers, memory bandwidth is the limit. */
const WORKERS_MAX = 4

/** One core is left to the page. */
const workerCount = (): number => Math.max(1, Math.min(WORKERS_MAX, (navigator.hardwareConcurrency || 2) - 1))

/**
 * Prepared scenes of all workers, in bytes: about 13 of 480 px. Beyond this, the least recently used that are
 * far from the window are released.
 */
const SCENES_BYTES_MAX = 32 * 1024 * 1024

/** Artworks that stay decoded: about 5 MB each in every worker. */
const ARTWORKS_MAX = 6

/** Pictures requested of a worker at once: the next is drawn while the page shows one. */
const DRAWING_MAX = 2

/** `unknown`: not requested from the pool; `failed`: it cannot be decoded here. */
export type KnownLook = ArtworkLook | 'unknown' | 'awaited' | 'failed'

type Artwork = { readonly id: number; readonly decoded: Promise<void>; isDecoded: boolean; failure: string | null }

class ScenePool {
  #workers: readonly PoolWorker[] = []
  readonly #artworks = new Map<File, Artwork>()
  /** In order of last use. */
  readonly #workerOfPack = new Map<string, PoolWorker>()
  /** Workers to send work to, after all requests of this moment have been made. */
  readonly #due = new Set<PoolWorker>()
  readonly #turns = new MessageChannel()
  readonly #looks = new WeakMap<File, ArtworkLook | 'failed'>()
  readonly #shares = new WeakMap<File, Map<string, number>>()
  readonly #lookListeners = new Set<() => void>()
  #nextArtwork = 1
  #nextWorker = 0

  constructor() {
    this.#turns.port1.onmessage = () => {
      const due = [...this.#due]
      this.#due.clear()
      for (const worker of due) this.#drawNext(worker)
    }
  }

  /** Requests a scene under a name; a newer request replaces an older one. */
  want(name: string, want: SceneWant, priority: number, listener: Listener): void {
    const worker = this.#workerOf(want.pack)
    worker.prepare(want.pack, want.widthPx)
    const before = worker.entries.get(name)
    if (before === undefined) worker.entries.set(name, { want, priority, drawn: null, listener })
    else {
      before.want = want
      before.priority = priority
    }
    this.#drawSoon(worker)
  }

  /** Withdraws the request of this name. */
  drop(name: string, pack: string): void {
    this.#workerOfPack.get(pack)?.entries.delete(name)
  }

  /** Loads scenes that may be requested soon. The first is loaded first and retained longest. */
  prepare(packs: readonly DashboardTemplate['packs'][number][]): void {
    for (const { path, width_px } of packs) this.#workerOf(path).prepare(path, width_px)
    for (const { path } of packs.toReversed()) this.#workerOf(path)
  }

  /** Decodes an artwork that scenes are about to show. */
  expect(file: File): void {
    this.#artworkOf(file)
  }

  /** Decodes an artwork; resolves to what is wrong with it, or null. */
  async faultOf(file: File): Promise<string | null> {
    return this.#artworkOf(file).decoded.then(
      () => null,
      (error: unknown) => asError(error).message,
    )
  }

  /** How much of an artwork stands out in a scene, computed once for each; 1 if unknown. */
  async shownShare(file: File, want: Omit<SceneWant, 'artwork'>): Promise<number> {
    const known = this.#shares.get(file) ?? new Map<string, number>()
    this.#shares.set(file, known)
    const key = JSON.stringify(want)
    const share = known.get(key)
    if (share !== undefined) return share
    const artwork = this.#artworkOf(file)
    await artwork.decoded.catch(() => undefined)
    const worker = this.#workerOf(want.pack)
    worker.prepare(want.pack, want.widthPx)
    const shown = await worker.channel.ask('judge', { artwork: artwork.id, ...want }).catch(() => null)
    if (shown !== null) known.set(key, shown)
    return shown ?? 1
  }

  /** What lists show of an artwork. */
  lookOf(file: File): KnownLook {
    return this.#looks.get(file) ?? (this.#artworks.has(file) ? 'awaited' : 'unknown')
  }

  readonly subscribeLooks = (listener: () => void): (() => void) => {
    this.#lookListeners.add(listener)
    return () => this.#lookListeners.delete(listener)
  }

  /** Ends the workers and forgets the artworks, after signing out. */
  end(): void {
    for (const { channel, entries } of this.#workers) {
      entries.clear()
      channel.end()
    }
    this.#workers = []
    this.#workerOfPack.clear()
    this.#artworks.clear()
  }

  #all(): readonly PoolWorker[] {
    if (this.#workers.length === 0)
      this.#workers = Array.from(
        { length: workerCount() },
        () =>
          new PoolWorker(worker => {
            this.#releaseUnused()
            this.#drawNext(worker)
          }),
      )
    return this.#workers
  }

  #workerOf(pack: string): PoolWorker {
    const workers = this.#all()
    const worker = this.#workerOfPack.get(pack) ?? workers[this.#nextWorker++ % workers.length]
    if (worker === undefined) throw new RangeError('Expected at least one worker.')
    this.#workerOfPack.delete(pack)
    this.#workerOfPack.set(pack, worker)
    return worker
  }

  #releaseUnused(): void {
    const prepared = [...this.#workerOfPack].flatMap(([pack, worker]) => {
      const sizeBytes = worker.sizeBytesOf(pack)
      return sizeBytes === null ? [] : [{ pack, worker, sizeBytes }]
    })
    let sumBytes = prepared.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const { pack, worker, sizeBytes } of prepared) {
      if (sumBytes <= SCENES_BYTES_MAX) return
      if (worker.isWanted(pack)) continue
      worker.release(pack)
      this.#workerOfPack.delete(pack)
      sumBytes -= sizeBytes
    }
  }

  /** In its own task: the first scene requested may be the last visible, and the page's task stays short. */
  #drawSoon(worker: PoolWorker): void {
    if (this.#due.size === 0) this.#turns.port2.postMessage(null)
    this.#due.add(worker)
  }

  #drawNext(worker: PoolWorker): void {
    while (worker.drawing < DRAWING_MAX) {
      const next = this.#nextOf(worker)
      if (next === null) return
      void this.#draw(worker, ...next)
    }
  }

  #nextOf(worker: PoolWorker): [string, Entry] | null {
    let best: [string, Entry] | null = null
    for (const each of worker.entries) {
      const [, { want, drawn, priority }] = each
      if (want === drawn || !worker.isPrepared(want.pack) || !this.#isReady(want)) continue
      if (best === null || priority < best[1].priority) best = each
    }
    return best
  }

  async #draw(worker: PoolWorker, name: string, entry: Entry): Promise<void> {
    const { want } = entry
    entry.drawn = want
    worker.drawing++
    const drawn = await this.#drawn(worker, want).catch(asError)
    worker.drawing--
    if (!(drawn instanceof Error)) worker.noteDrawn(want.pack)
    this.#drawNext(worker)
    // A scene that was dropped meanwhile is not notified.
    const isHere = worker.entries.get(name) === entry
    if (drawn instanceof Error) {
      if (isHere) entry.listener.onFailed(drawn.message)
    } else if (isHere) entry.listener.onShown(drawn, entry.want === want)
    else drawn.bitmap.close()
  }

  async #drawn({ channel }: PoolWorker, want: SceneWant): Promise<SceneShown> {
    const artwork = want.artwork === 'none' ? null : this.#artworkOf(want.artwork)
    if (artwork !== null && artwork.failure !== null) throw new Error(artwork.failure)
    return channel.ask('draw', { ...want, artwork: artwork && artwork.id })
  }

  /** Whether the artwork is decoded. If not, decoding starts, and drawing continues after it. */
  #isReady({ artwork: file }: SceneWant): boolean {
    if (file === 'none') return true
    const artwork = this.#artworkOf(file)
    return artwork.isDecoded || artwork.failure !== null
  }

  #artworkOf(file: File): Artwork {
    const known = this.#artworks.get(file)
    if (known !== undefined) return known
    const id = this.#nextArtwork++
    const artwork: Artwork = { id, decoded: this.#decode(file, id), isDecoded: false, failure: null }
    this.#artworks.set(file, artwork)
    artwork.decoded
      .then(
        () => {
          artwork.isDecoded = true
        },
        (error: unknown) => {
          artwork.failure = asError(error).message
          if (this.#artworks.get(file) === artwork) this.#setLook(file, 'failed')
        },
      )
      .then(() => {
        for (const worker of this.#workers) this.#drawNext(worker)
      })
      .catch(() => undefined)
    this.#forgetOlder()
    return artwork
  }

  async #decode(file: File, artwork: number): Promise<void> {
    const [first, ...others] = this.#all()
    if (first === undefined) throw new RangeError('Expected at least one worker.')
    const { sizes, look } = await first.channel.ask('decode', { artwork, file, isShared: others.length > 0 })
    for (const worker of others) worker.tell('keep', { artwork, sizes })
    this.#setLook(file, look)
  }

  #setLook(file: File, look: ArtworkLook | 'failed'): void {
    this.#looks.set(file, look)
    for (const listener of this.#lookListeners) listener()
  }

  /** Forgets artworks that no scene shows, the oldest first. */
  #forgetOlder(): void {
    const wanted = new Set(
      this.#workers.flatMap(({ entries }) => [...entries.values()].map(({ want }) => want.artwork)),
    )
    for (const [file, { id, isDecoded }] of this.#artworks) {
      if (this.#artworks.size <= ARTWORKS_MAX) return
      if (wanted.has(file) || !isDecoded) continue
      this.#artworks.delete(file)
      for (const worker of this.#workers) worker.tell('forget', id)
    }
  }
}

/** The only pool of this document. */
export const scenePool = new ScenePool()
