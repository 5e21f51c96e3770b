/** A worker of the gallery and the scenes assigned to it. */
import { WorkerChannel } from '@vitrine/live'
import type { SceneCalls, SceneShown, SceneWant } from './scene-messages.ts'

export type Listener = {
  /** `isNewest`: no newer picture is wanted. */
  readonly onShown: (scene: SceneShown, isNewest: boolean) => void
  readonly onFailed: (message: string) => void
}

export type Entry = {
  want: SceneWant
  /** Lower values are drawn first. */
  priority: number
  /** What the last picture, or the one being drawn, shows. */
  drawn: SceneWant | null
  readonly listener: Listener
}

export class PoolWorker {
  readonly entries = new Map<string, Entry>()
  readonly channel = new WorkerChannel<SceneCalls>(
    new Worker(new URL('./scene-worker.ts', import.meta.url), { type: 'module' }),
    'This browser ended a preview.',
  )
  /** Sizes of the scenes that are ready; a scene grows with its first picture. */
  readonly #scenes = new Map<string, 'asked' | { readonly sizeBytes: number; readonly isDrawn: boolean }>()
  readonly #onReady: (worker: PoolWorker) => void
  /** Pictures that were requested and have not arrived. */
  drawing = 0

  /** @param onReady called when a scene can be drawn */
  constructor(onReady: (worker: PoolWorker) => void) {
    this.#onReady = onReady
  }

  /** Loads and prepares a scene once. After a failure it counts as ready, and drawing it fails. */
  prepare(pack: string, widthPx: number): void {
    if (this.#scenes.has(pack)) return
    this.#scenes.set(pack, 'asked')
    const note = (sizeBytes: number) => {
      this.#scenes.set(pack, { sizeBytes, isDrawn: false })
      this.#onReady(this)
    }
    this.channel.ask('prepare', { pack, widthPx }).then(note, () => note(0))
  }

  isPrepared(pack: string): boolean {
    return this.sizeBytesOf(pack) !== null
  }

  /** The size of a prepared scene; null until it is ready. */
  sizeBytesOf(pack: string): number | null {
    const scene = this.#scenes.get(pack)
    if (scene === undefined || scene === 'asked') return null
    // Twice: the last picture and its colours.
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
    this.tell('release', pack)
  }

  /** Sends a call that has no answer. */
  tell<K extends 'keep' | 'forget' | 'release'>(name: K, request: Parameters<SceneCalls[K]>[0]): void {
    this.channel.ask(name, request).catch(() => undefined)
  }
}
