/** The photo with artwork in it while it is edited: at once and nearly exact, and exact once it rests. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Point } from '../draft.ts'
import { afterAnswer, type PhotoPicture } from './after-answer.ts'
import { drawingOfDraft } from './drawing-of-draft.ts'
import type { PhotoDraft, ProductKind } from './photo-draft.ts'
import type { BrushedStrokes, PhotoAnswer, PhotoRequest, PhotoScene } from './photo-messages.ts'
import { PhotoWorker } from './photo-worker-client.ts'

/** Typing and dragging rest for as long before the exact picture is begun. */
const REST_MS = 250

const nothing: PhotoPicture = { picture: null, frames: [], isExact: false, refusal: null, productColor: null }

/** Asks a worker one thing after the other: of those that come meanwhile the newest of each kind. */
class NewestAsked {
  readonly #worker: PhotoWorker
  readonly #waiting = new Map<PhotoRequest['kind'], () => Promise<void>>()
  #isBusy = false

  constructor(photo: Blob) {
    this.#worker = new PhotoWorker(photo)
  }

  ask(request: PhotoRequest, onAnswer: (answer: PhotoAnswer) => void): void {
    this.#waiting.set(request.kind, async () => onAnswer(await this.#worker.ask(request)))
    if (!this.#isBusy) void this.#work()
  }

  end(): void {
    this.#waiting.clear()
    this.#worker.end()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [kind, answered] = next
      this.#waiting.delete(kind)
      await answered()
    }
    this.#isBusy = false
  }
}

export type BrushedPicture = PhotoPicture & {
  /** Of what is being brushed over. */
  readonly outline: Outline
  /** Where a frame on what was brushed over may lie; null: the outline tells no such product. */
  readonly propose: (
    product: ProductKind,
    slenderness: number | null,
    strokes: BrushedStrokes,
  ) => Promise<readonly Point[] | null>
}

type Workers = { readonly moving: NewestAsked; readonly resting: NewestAsked }

/** `brushed`: what is being brushed over; null: nothing is. */
export function usePhotoPicture(
  draft: PhotoDraft,
  colors: PhotoScene['colors'],
  brushed: Brushed | null,
): BrushedPicture {
  const { photo, widthPx, heightPx, lens, tone, frames, product, sample } = draft
  const [shown, setShown] = useState(nothing)
  const workers = useRef<Workers | null>(null)
  const newest = useRef<PhotoScene | null>(null)
  const scene = useMemo<PhotoScene>(
    () => ({
      drawing: drawingOfDraft({ widthPx, heightPx, lens, tone, frames, product }),
      artwork: sample,
      colors,
    }),
    [widthPx, heightPx, lens, tone, frames, product, sample, colors],
  )
  const show = useCallback((answer: PhotoAnswer, drawn: PhotoScene, isExact: boolean) => {
    // An exact picture of what has changed since would jump back.
    if (isExact && newest.current !== drawn) return
    setShown(before => afterAnswer(before, answer, isExact))
  }, [])
  useEffect(() => {
    const made = { moving: new NewestAsked(photo), resting: new NewestAsked(photo) }
    workers.current = made
    return () => {
      workers.current = null
      made.moving.end()
      made.resting.end()
    }
  }, [photo])
  useEffect(() => {
    newest.current = scene
    setShown(before => (before.isExact ? { ...before, isExact: false } : before))
    const draw = (isMoving: boolean) =>
      workers.current?.[isMoving ? 'moving' : 'resting'].ask({ kind: 'draw', isMoving, ...scene }, answer =>
        show(answer, scene, !isMoving),
      )
    draw(true)
    const timer = setTimeout(draw, REST_MS, false)
    return () => clearTimeout(timer)
  }, [scene, show])
  const propose = (product: ProductKind, slenderness: number | null, strokes: BrushedStrokes) =>
    new Promise<readonly Point[] | null>(resolve =>
      workers.current?.moving.ask({ kind: 'propose', product, slenderness, ...strokes }, answer =>
        resolve(answer.kind === 'proposed' ? answer.points : null),
      ),
    )
  return { ...shown, outline: useOutline(workers, brushed), propose }
}

/** What is being brushed over: the product, or what is in front of a frame. */
export type Brushed = BrushedStrokes & { readonly target: string }
export type Outline = readonly (readonly Point[])[]

/** The outline of the newest strokes, or of those before until it is found. */
function useOutline(workers: RefObject<Workers | null>, brushed: Brushed | null): Outline {
  const [found, setFound] = useState<{ readonly target: string; readonly outline: Outline } | null>(null)
  useEffect(() => {
    if (brushed === null) return
    const { target, ...strokes } = brushed
    workers.current?.moving.ask({ kind: 'outline', ...strokes }, answer => {
      if (answer.kind === 'outlined') setFound({ target, outline: answer.lines })
    })
  }, [workers, brushed])
  return found !== null && found.target === brushed?.target ? found.outline : []
}
