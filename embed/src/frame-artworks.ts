/** The pictures in an element's frames. Each is loaded once, however many frames show it. */
import { loadArtwork } from './artwork.ts'
import type { ArtworkSource } from './element-types.ts'

export type FrameArtwork = {
  readonly sha256: string
  readonly file: File
  readonly widthPx: number
  readonly heightPx: number
  /** Parts of it are transparent, as around a logo. */
  readonly isClear: boolean
}

type ShowArtwork = (
  frames: readonly number[],
  bytes: Uint8Array | null,
) => Promise<Pick<FrameArtwork, 'widthPx' | 'heightPx' | 'isClear'>>

type Place = {
  /** Undefined: another picture is being loaded, or an outdated one has arrived. */
  source: ArtworkSource | null | undefined
  artwork: FrameArtwork | null
}

export class FrameArtworks {
  readonly #show: ShowArtwork
  #places: readonly Place[] = []
  #changing = new AbortController()

  /** @param show makes frames show a picture */
  constructor(show: ShowArtwork) {
    this.#show = show
  }

  /** By frame; null for an empty frame. */
  get artworks(): readonly (FrameArtwork | null)[] {
    return this.#places.map(({ artwork }) => artwork)
  }

  /** Resets the frames for another template. */
  begin(frameCount: number): void {
    this.stop()
    this.#places = Array.from({ length: frameCount }, () => ({ source: null, artwork: null }))
  }

  /** Discards what is being loaded. */
  stop(): void {
    this.#changing.abort()
  }

  /**
   * Makes each frame show its source; sources that are already shown are not loaded again.
   *
   * @returns `late` if others were requested meanwhile
   * @throws EmbedError of the first picture that cannot be shown; the others are shown
   */
  async change(sources: readonly (ArtworkSource | null)[]): Promise<'late' | 'shown'> {
    this.#changing.abort()
    this.#changing = new AbortController()
    const { signal } = this.#changing
    const groups = new Map<ArtworkSource | null, Place[]>()
    for (const [frame, place] of this.#places.entries()) {
      const source = sources[frame] ?? null
      if (place.source !== source) groups.set(source, [...(groups.get(source) ?? []), place])
    }
    const outcomes = await Promise.allSettled([...groups].map(([source, places]) => this.#put(source, places, signal)))
    if (signal.aborted) return 'late'
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return 'shown'
  }

  async #put(source: ArtworkSource | null, places: readonly Place[], signal: AbortSignal): Promise<void> {
    const loaded = source === null ? null : await loadArtwork(source, signal)
    if (signal.aborted) return
    for (const place of places) place.source = undefined
    const frames = places.map(place => this.#places.indexOf(place))
    const { widthPx, heightPx, isClear } = await this.#show(frames, loaded?.bytes ?? null)
    if (signal.aborted) return
    for (const place of places) {
      place.source = source
      place.artwork = loaded && { sha256: loaded.sha256, file: loaded.file, widthPx, heightPx, isClear }
    }
  }
}
