/** The photo with artwork in it while it is edited: nearly exact at once, and exact after a pause. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { asError } from '../../as-error.ts'
import type { Point } from '../draft.ts'
import { afterAnswer, type PhotoPicture } from './after-answer.ts'
import { drawingOfDraft } from './drawing-of-draft.ts'
import type { PhotoDraft, ProductKind } from './photo-draft.ts'
import type { BrushedStrokes, DrawnPhoto, PhotoScene } from './photo-messages.ts'
import { openPhotoWorker, type PhotoWorker } from './photo-worker-client.ts'

/** The pause in typing and dragging before the exact picture is started. */
const REST_MS = 250

const nothing: PhotoPicture = { picture: null, frames: [], isExact: false, refusal: null, productColor: null }

export type BrushedPicture = PhotoPicture & {
  /** Of what is being brushed over. */
  readonly outline: Outline
  /** Where a frame on the brushed product may lie; null if the outline is not that of such a product. */
  readonly propose: (
    product: ProductKind,
    slenderness: number | null,
    strokes: BrushedStrokes,
  ) => Promise<readonly Point[] | null>
}

type Workers = { readonly moving: PhotoWorker; readonly resting: PhotoWorker }

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
  const show = useCallback((answer: DrawnPhoto | Error, drawn: PhotoScene, isExact: boolean) => {
    // An exact picture of an older state would jump back.
    if (isExact && newest.current !== drawn) return
    setShown(before => afterAnswer(before, answer, isExact))
  }, [])
  useEffect(() => {
    const made = { moving: openPhotoWorker(photo), resting: openPhotoWorker(photo) }
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
    const draw = async (isMoving: boolean) => {
      const asked = workers.current
      const answer = await asked?.[isMoving ? 'moving' : 'resting']
        .askNewest('draw', { isMoving, ...scene })
        .catch(asError)
      // Nothing of the previous photo is shown any more.
      if (answer !== undefined && workers.current === asked) show(answer, scene, !isMoving)
    }
    void draw(true)
    const timer = setTimeout(() => void draw(false), REST_MS)
    return () => clearTimeout(timer)
  }, [scene, show])
  const propose = async (product: ProductKind, slenderness: number | null, strokes: BrushedStrokes) =>
    (await workers.current?.moving.ask('propose', { product, slenderness, ...strokes }).catch(() => null)) ?? null
  return { ...shown, outline: useOutline(workers, brushed), propose }
}

/** What is being brushed over: the product, or what is in front of a frame. */
export type Brushed = BrushedStrokes & { readonly target: string }
export type Outline = readonly (readonly Point[])[]

/** The outline of the newest strokes, or of previous ones until it is found. */
function useOutline(workers: RefObject<Workers | null>, brushed: Brushed | null): Outline {
  const [found, setFound] = useState<{ readonly target: string; readonly outline: Outline } | null>(null)
  useEffect(() => {
    if (brushed === null) return
    const { target, ...strokes } = brushed
    workers.current?.moving.askNewest('outline', strokes).then(
      outline => outline && setFound({ target, outline }),
      () => undefined,
    )
  }, [workers, brushed])
  return found !== null && found.target === brushed?.target ? found.outline : []
}
