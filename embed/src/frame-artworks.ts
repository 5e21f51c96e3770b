/** The pictures that the frames of an element show: each is loaded once, whatever frames it is for. */
import { loadArtwork } from './artwork.ts'
import type { ArtworkSource } from './element-types.ts'

export type FrameArtwork = {
  readonly sha256: string
  readonly file: File
  readonly widthPx: number
  readonly heightPx: number
  /** Parts of it are clear, as around a logo. */
  readonly isClear: boolean
}

type ShowArtwork = (
  frames: readonly number[],
  bytes: Uint8Array | null,
) => Promise<Pick<FrameArtwork, 'widthPx' | 'heightPx' | 'isClear'>>

type Place = {
  /** Undefined: another picture is under way, or came too late to be known. */
  source: ArtworkSource | null | undefined
  artwork: FrameArtwork | null
}

export class FrameArtworks {
  readonly #show: ShowArtwork
  #places: readonly Place[] = []
  #changing = new AbortController()

  /** @param show lets frames show a picture */
  constructor(show: ShowArtwork) {
    this.#show = show
  }

  /** By frame; null where a frame is empty. */
  get artworks(): readonly (FrameArtwork | null)[] {
    return this.#places.map(({ artwork }) => artwork)
  }

  /** Another template: its frames are empty. */
  begin(frameCount: number): void {
    this.stop()
    this.#places = Array.from({ length: frameCount }, () => ({ source: null, artwork: null }))
  }

  /** What is loaded is not wanted any more. */
  stop(): void {
    this.#changing.abort()
  }

  /**
   * Lets the frames show these, one for each; what they show already is not loaded again.
   *
   * @returns what became of it: `late` where others were asked for meanwhile
   * @throws EmbedError of the first picture that cannot be shown; the others are
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
