/** The photo with artwork in it while it is edited: at once and nearly exact, and exact once it rests. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { drawingOfDraft } from './drawing-of-draft.ts'
import type { PhotoDraft } from './photo-draft.ts'
import type { FrameLines, PhotoAnswer, PhotoScene } from './photo-messages.ts'
import { PhotoWorker } from './photo-worker-client.ts'

/** Typing and dragging rest for as long before the exact picture is begun. */
const REST_MS = 250

export type PhotoPicture = {
  /** The newest picture; null: none yet. */
  readonly picture: ImageData | null
  readonly frames: readonly FrameLines[]
  /** Whether it is what was drawn last, as exact as the screen shows. */
  readonly isExact: boolean
  /** What to do before the drawing makes a template; null: nothing. */
  readonly refusal: string | null
}

const nothing: PhotoPicture = { picture: null, frames: [], isExact: false, refusal: null }

/** Draws scenes one after the other; of those that come meanwhile the newest. */
class SceneDrawer {
  readonly #worker: PhotoWorker
  readonly #isMoving: boolean
  readonly #onAnswer: (answer: PhotoAnswer, scene: PhotoScene) => void
  #waiting: PhotoScene | null = null
  #isBusy = false

  constructor(photo: Blob, isMoving: boolean, onAnswer: (answer: PhotoAnswer, scene: PhotoScene) => void) {
    this.#worker = new PhotoWorker(photo)
    this.#isMoving = isMoving
    this.#onAnswer = onAnswer
  }

  draw(scene: PhotoScene): void {
    this.#waiting = scene
    if (!this.#isBusy) void this.#work()
  }

  end(): void {
    this.#waiting = null
    this.#worker.end()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let scene = this.#waiting; scene !== null; scene = this.#waiting) {
      this.#waiting = null
      this.#onAnswer(await this.#worker.ask({ kind: 'draw', isMoving: this.#isMoving, ...scene }), scene)
    }
    this.#isBusy = false
  }
}

export function usePhotoPicture(draft: PhotoDraft, colors: PhotoScene['colors']): PhotoPicture {
  const { photo, widthPx, heightPx, lens, tone, frames, product, sample } = draft
  const [shown, setShown] = useState(nothing)
  const drawers = useRef<{ readonly moving: SceneDrawer; readonly resting: SceneDrawer } | null>(null)
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
    const isNewest = newest.current === drawn
    // An exact picture of what has changed since would jump back.
    if (isExact && !isNewest) return
    setShown(before => {
      if (before.isExact && !isExact && isNewest) return before
      if (answer.kind === 'refused') return { ...before, isExact, refusal: answer.message }
      if (answer.kind !== 'drawn') return before
      return { picture: answer.picture, frames: answer.frames, isExact, refusal: null }
    })
  }, [])
  useEffect(() => {
    const made = {
      moving: new SceneDrawer(photo, true, (answer, drawn) => show(answer, drawn, false)),
      resting: new SceneDrawer(photo, false, (answer, drawn) => show(answer, drawn, true)),
    }
    drawers.current = made
    return () => {
      drawers.current = null
      made.moving.end()
      made.resting.end()
    }
  }, [photo, show])
  useEffect(() => {
    newest.current = scene
    setShown(before => (before.isExact ? { ...before, isExact: false } : before))
    drawers.current?.moving.draw(scene)
    const timer = setTimeout(() => drawers.current?.resting.draw(scene), REST_MS)
    return () => clearTimeout(timer)
  }, [scene])
  return shown
}
