/** The workers of the wall, and which scene each draws next: visible ones first; the newest wish wins. */
import { asError } from '../as-error.ts'
import type { Numbered, SceneShown, SceneWant, WallAnswer, WallRequest } from './wall-messages.ts'

/** Beyond these, workers wait for each other's memory. */
const WORKERS_MAX = 4

/** The page itself needs a core. */
const workerCount = (): number => Math.max(1, Math.min(WORKERS_MAX, (navigator.hardwareConcurrency || 2) - 1))

/** Artworks that stay decoded: about 5 MB each in each worker. */
const ARTWORKS_MAX = 6

type Listener = {
  readonly onShown: (scene: SceneShown, want: SceneWant) => void
  readonly onFailed: (message: string, want: SceneWant) => void
}

type Entry = {
  want: SceneWant
  /** Lower is drawn earlier. */
  priority: number
  /** What its picture, or the one under way, shows. */
  drawn: SceneWant | null
  readonly listener: Listener
}

type Artwork = { readonly id: number; readonly decoded: Promise<void>; isDecoded: boolean; failure: string | null }

class PoolWorker {
  readonly entries = new Map<string, Entry>()
  readonly #worker = new Worker(new URL('./wall-worker.ts', import.meta.url), { type: 'module' })
  readonly #asked = new Map<number, (answer: WallAnswer) => void>()
  #askCount = 0
  isDrawing = false

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Numbered<WallAnswer>>) => this.#take(data.ask, data)
    this.#worker.onerror = () => {
      for (const ask of this.#asked.keys())
        this.#take(ask, { kind: 'failed', message: 'This browser ended a preview.' })
    }
  }

  /** For requests without an answer. */
  tell(request: WallRequest): void {
    this.#worker.postMessage({ ...request, ask: 0 } satisfies Numbered<WallRequest>)
  }

  ask(request: WallRequest): Promise<WallAnswer> {
    const ask = ++this.#askCount
    return new Promise(resolve => {
      this.#asked.set(ask, resolve)
      this.#worker.postMessage({ ...request, ask } satisfies Numbered<WallRequest>)
    })
  }

  end(): void {
    this.#worker.terminate()
  }

  #take(ask: number, answer: WallAnswer): void {
    this.#asked.get(ask)?.(answer)
    this.#asked.delete(ask)
  }
}

class ScenePool {
  #workers: readonly PoolWorker[] = []
  readonly #artworks = new Map<File, Artwork>()
  readonly #workerOfPack = new Map<string, PoolWorker>()
  readonly #prepared = new Set<string>()
  #nextArtwork = 1
  #nextWorker = 0

  /** Asks for a scene under a name; a newer wish replaces an older one. */
  want(name: string, want: SceneWant, priority: number, listener: Listener): void {
    const worker = this.#workerOf(want.pack)
    const before = worker.entries.get(name)
    if (before === undefined) worker.entries.set(name, { want, priority, drawn: null, listener })
    else {
      before.want = want
      before.priority = priority
    }
    void this.#drawNext(worker)
  }

  /** Nobody looks at it any more. */
  drop(name: string, pack: string): void {
    this.#workerOfPack.get(pack)?.entries.delete(name)
  }

  /** Loads a scene that somebody may want soon. */
  prepare(pack: string, widthPx: number): void {
    if (this.#prepared.has(pack)) return
    this.#prepared.add(pack)
    void this.#workerOf(pack).ask({ kind: 'prepare', pack, widthPx })
  }

  /** Ends the workers and forgets the artworks: nobody is signed in. */
  end(): void {
    for (const worker of this.#workers) worker.end()
    this.#workers = []
    this.#workerOfPack.clear()
    this.#artworks.clear()
    this.#prepared.clear()
  }

  #all(): readonly PoolWorker[] {
    if (this.#workers.length === 0) this.#workers = Array.from({ length: workerCount() }, () => new PoolWorker())
    return this.#workers
  }

  #workerOf(pack: string): PoolWorker {
    const known = this.#workerOfPack.get(pack)
    if (known !== undefined) return known
    const workers = this.#all()
    const worker = workers[this.#nextWorker++ % workers.length] ?? new PoolWorker()
    this.#workerOfPack.set(pack, worker)
    return worker
  }

  async #drawNext(worker: PoolWorker): Promise<void> {
    if (worker.isDrawing) return
    const next = [...worker.entries].reduce<[string, Entry] | null>((best, each) => {
      const [, { want, drawn, priority }] = each
      if (want === drawn || !this.#isReady(want)) return best
      return best === null || priority < best[1].priority ? each : best
    }, null)
    if (next === null) return
    const [name, entry] = next
    const { want } = entry
    const artwork = this.#artworkOf(want.artwork)
    entry.drawn = want
    worker.isDrawing = true
    const answer: WallAnswer =
      artwork.failure === null
        ? await worker.ask({ kind: 'draw', ...want, artwork: artwork.id })
        : { kind: 'failed', message: artwork.failure }
    worker.isDrawing = false
    // A scene that has gone meanwhile is told nothing.
    const isHere = worker.entries.get(name) === entry
    if (answer.kind === 'drawn') {
      if (isHere) entry.listener.onShown(answer, want)
      else answer.bitmap.close()
    } else if (answer.kind === 'failed' && isHere) entry.listener.onFailed(answer.message, want)
    void this.#drawNext(worker)
  }

  /** Whether its artwork is decoded; where not, that is begun, and drawing goes on after it. */
  #isReady({ artwork: file }: SceneWant): boolean {
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
        },
      )
      .then(() => {
        for (const worker of this.#workers) void this.#drawNext(worker)
      })
      .catch(() => undefined)
    this.#forgetOlder()
    return artwork
  }

  async #decode(file: File, artwork: number): Promise<void> {
    const [first] = this.#all()
    const answer = await first?.ask({ kind: 'decode', artwork, file })
    if (answer?.kind !== 'decoded') throw new Error(answer?.kind === 'failed' ? answer.message : 'Nothing decodes it.')
    for (const worker of this.#all()) worker.tell({ kind: 'keep', artwork, sizes: answer.sizes })
  }

  /** Those that nobody wants, the oldest first. */
  #forgetOlder(): void {
    const wanted = new Set(
      this.#workers.flatMap(({ entries }) => [...entries.values()].map(({ want }) => want.artwork)),
    )
    for (const [file, { id, isDecoded }] of this.#artworks) {
      if (this.#artworks.size <= ARTWORKS_MAX) return
      if (wanted.has(file) || !isDecoded) continue
      this.#artworks.delete(file)
      for (const worker of this.#workers) worker.tell({ kind: 'forget', artwork: id })
    }
  }
}

/** The one pool of this document. */
export const scenePool = new ScenePool()
