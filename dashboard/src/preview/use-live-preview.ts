/** Small previews of moving artwork, drawn by a separate worker while the exact preview waits. */
import { WorkerChannel } from '@vitrine/live'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LiveCalls, LiveRequest } from './preview-messages.ts'

/** The width at which drawing a frame takes a few milliseconds. */
const LIVE_WIDTH_PX = 500

/** A new list of placements, or a new colors object, requests a new picture. */
export type LiveInput = LiveRequest & {
  readonly folder: string
  /** One per frame; if empty, nothing is drawn. */
  readonly artworks: readonly Uint8Array[]
  /** The exact preview already shows the newest placements and colors, so nothing is drawn over it. */
  readonly isExact: boolean
  /** Artwork is likely to move: the worker starts, if it has not been needed before. */
  readonly isExpected: boolean
}

/** Draws the newest input as fast as the worker can. `isShown`: the canvas shows the newest placement. */
export function useLivePreview(input: LiveInput): {
  canvas: RefObject<HTMLCanvasElement | null>
  isShown: boolean
} {
  const { folder, artworks, placements, colors, isExact, isExpected } = input
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setIsDrawn] = useState(false)
  const isShown = isDrawn && !isExact
  const newest = useRef({ ...input, isShown })
  const drawer = useRef<LiveDrawer | null>(null)
  useEffect(() => {
    newest.current = { ...input, isShown }
  })
  useEffect(() => {
    if (artworks.length === 0) return
    const made = new LiveDrawer(folder, artworks, newest.current, picture => {
      if (newest.current.isExact || canvas.current === null) return
      show(canvas.current, picture)
      setIsDrawn(true)
    })
    drawer.current = made
    return () => made.end()
  }, [folder, artworks])
  useEffect(() => {
    if (isExpected) drawer.current?.open()
  }, [isExpected, folder, artworks])
  useEffect(() => drawer.current?.draw({ placements, colors: newest.current.colors }), [placements])
  // If nothing moved, a change of colors waits for the exact preview.
  useEffect(() => {
    if (newest.current.isShown) drawer.current?.draw({ placements: newest.current.placements, colors })
  }, [colors])
  useEffect(() => {
    if (isExact) setIsDrawn(false)
  }, [isExact])
  return { canvas, isShown }
}

function show(canvas: HTMLCanvasElement, picture: ImageData): void {
  if (canvas.width !== picture.width) canvas.width = picture.width
  if (canvas.height !== picture.height) canvas.height = picture.height
  canvas.getContext('2d')?.putImageData(picture, 0, 0)
}

/** A worker that holds the artworks of a template, once it is needed. */
class LiveDrawer {
  readonly #folder: string
  readonly #artworks: readonly Uint8Array[]
  #channel: WorkerChannel<LiveCalls> | null = null
  readonly #onPicture: (picture: ImageData) => void
  #drawn: LiveRequest

  constructor(
    folder: string,
    artworks: readonly Uint8Array[],
    scene: LiveRequest,
    onPicture: (picture: ImageData) => void,
  ) {
    this.#folder = folder
    this.#artworks = artworks
    this.#drawn = scene
    this.#onPicture = onPicture
  }

  open(): WorkerChannel<LiveCalls> {
    if (this.#channel !== null) return this.#channel
    const worker = new Worker(new URL('./live-worker.ts', import.meta.url), { type: 'module' })
    this.#channel = new WorkerChannel(worker, 'This browser ended a preview.')
    const scene = { folder: this.#folder, widthPx: LIVE_WIDTH_PX, artworks: this.#artworks }
    this.#channel.ask('open', scene).catch(() => undefined)
    return this.#channel
  }

  draw({ placements, colors }: LiveRequest): void {
    if (this.#drawn.placements === placements && this.#drawn.colors === colors) return
    this.#drawn = { placements, colors }
    this.open()
      .askNewest('draw', this.#drawn)
      .then(
        answer => answer && this.#onPicture(answer.picture),
        // The exact preview reports what is wrong with the artwork or the template.
        () => undefined,
      )
  }

  end(): void {
    this.#channel?.end()
  }
}
