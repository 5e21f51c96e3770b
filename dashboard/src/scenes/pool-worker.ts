/** A worker of the wall with the scenes that are its to draw. */
import type { Numbered, SceneShown, SceneWant, WallAnswer, WallRequest } from './scene-messages.ts'

export type Listener = {
  /** `isNewest`: nothing newer is wanted. */
  readonly onShown: (scene: SceneShown, isNewest: boolean) => void
  readonly onFailed: (message: string) => void
}

export type Entry = {
  want: SceneWant
  /** Lower is drawn earlier. */
  priority: number
  /** What its picture, or the one under way, shows. */
  drawn: SceneWant | null
  readonly listener: Listener
}

export class PoolWorker {
  readonly entries = new Map<string, Entry>()
  readonly #worker = new Worker(new URL('./scene-worker.ts', import.meta.url), { type: 'module' })
  readonly #asked = new Map<number, (answer: WallAnswer) => void>()
  /** Bytes of those that are ready: they grow with the first picture. */
  readonly #scenes = new Map<string, 'asked' | { readonly sizeBytes: number; readonly isDrawn: boolean }>()
  readonly #onReady: (worker: PoolWorker) => void
  #askCount = 0
  /** Pictures that were asked for and have not come. */
  drawing = 0

  /** @param onReady called when a scene is ready to be drawn */
  constructor(onReady: (worker: PoolWorker) => void) {
    this.#onReady = onReady
    this.#worker.onmessage = ({ data }: MessageEvent<Numbered<WallAnswer>>) => {
      this.#take(data.ask, data)
    }
    this.#worker.onerror = () => {
      for (const ask of this.#asked.keys())
        this.#take(ask, { kind: 'failed', message: 'This browser ended a preview.' })
    }
  }

  /** Loads and prepares a scene, once. One that fails is ready to fail again, when it is drawn. */
  prepare(pack: string, widthPx: number): void {
    if (this.#scenes.has(pack)) return
    this.#scenes.set(pack, 'asked')
    void this.ask({ kind: 'prepare', pack, widthPx }).then(answer => {
      this.#scenes.set(pack, { sizeBytes: answer.kind === 'prepared' ? answer.sizeBytes : 0, isDrawn: false })
      this.#onReady(this)
    })
  }

  isPrepared(pack: string): boolean {
    return this.sizeBytesOf(pack) !== null
  }

  /** Of a prepared scene; null while it is not ready. */
  sizeBytesOf(pack: string): number | null {
    const scene = this.#scenes.get(pack)
    if (scene === undefined || scene === 'asked') return null
    // Twice: its last picture, and its colours.
    return scene.isDrawn ? 2 * scene.sizeBytes : scene.sizeBytes
  }

  noteDrawn(pack: string): void {
    const scene = this.#scenes.get(pack)
    if (scene !== undefined && scene !== 'asked' && !scene.isDrawn) this.#scenes.set(pack, { ...scene, isDrawn: true })
  }

  isWanted(pack: string): boolean {
    return this.entries.values().some(({ want }) => want.pack === pack)
  }

  /** Frees a prepared scene. */
  release(pack: string): void {
    this.#scenes.delete(pack)
    this.tell({ kind: 'release', pack })
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
