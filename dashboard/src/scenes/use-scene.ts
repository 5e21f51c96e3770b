/** A scene of the gallery on a canvas: what is wanted, what is seen. */
import type { DashboardTemplate } from '@vitrine/contract'
import { type ShownFrames, showBitmap } from '@vitrine/live'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { PlaceWatch } from './place-watch.ts'
import type { SceneWant } from './scene-messages.ts'
import { scenePool } from './scene-pool.ts'

/** Scenes this far outside of the window are drawn too, after those inside. */
const NEAR = '300px'

/** Beyond this its pixels are freed: a megabyte each. Until then who scrolls back sees them at once. */
const KEPT = '1000px'

const nearPlaces = new PlaceWatch(NEAR)
const keptPlaces = new PlaceWatch(KEPT)

const VISIBLE_PRIORITY = 0
const NEAR_PRIORITY = 1
const FAR_PRIORITY = 2

export type SceneState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'shown'; readonly shown: ShownFrames }
  | { readonly kind: 'failed'; readonly message: string }

type SeenScene = {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly place: RefObject<HTMLDivElement | null>
  /** Whether the place is so near that what it shows is to stay ready. */
  readonly isKept: boolean
  readonly state: SceneState
}

type WantedScene = Pick<SceneWant, 'placement' | 'colors'> & {
  /** `none`: the scene without any. Null: the scene is not drawn. */
  readonly artwork: File | 'none' | null
  /** Of the template; undefined where there is none. */
  readonly pack: DashboardTemplate['packs'][number] | undefined
  /** It is drawn, and stays, wherever its place is. */
  readonly isAlways?: boolean
  /** Told whether the canvas shows what is wanted now. */
  readonly onCurrent?: (isCurrent: boolean) => void
}

/** Draws the scene with its artwork, while the place is near the window. */
export function useScene(scene: WantedScene): SeenScene {
  const { pack: served, artwork, placement, colors, isAlways = false, onCurrent } = scene
  const want = useMemo(
    (): SceneWant | null =>
      served === undefined || artwork === null
        ? null
        : { pack: served.path, widthPx: served.width_px, artwork, placement, colors },
    [served, artwork, placement, colors],
  )
  const canvas = useRef<HTMLCanvasElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<SceneState>({ kind: 'waiting' })
  const nearness = useNearness(place) ?? (isAlways ? FAR_PRIORITY : null)
  const name = useId()
  const pack = want?.pack
  const isNear = nearness !== null
  const tell = useRef(onCurrent)
  useEffect(() => {
    tell.current = onCurrent
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the picture is of what was wanted before
  useEffect(() => tell.current?.(false), [want])
  useEffect(() => {
    if (want === null || nearness === null) return
    scenePool.want(name, want, nearness, {
      onShown: ({ bitmap, shown }, isNewest) => {
        if (canvas.current === null) bitmap.close()
        else showBitmap(canvas.current, bitmap)
        if (isNewest) tell.current?.(true)
        setState(before => (before.kind === 'shown' && isSame(before.shown, shown) ? before : { kind: 'shown', shown }))
      },
      onFailed: message => setState({ kind: 'failed', message }),
    })
  }, [name, want, nearness])
  useEffect(() => {
    if (pack === undefined || !isNear) return
    return () => scenePool.drop(name, pack)
  }, [name, pack, isNear])
  const isKept = useIsKept(place) || isAlways
  useEffect(() => {
    if (want !== null && isKept) return
    tell.current?.(false)
    setState({ kind: 'waiting' })
    if (canvas.current !== null && !canvas.current.hidden) freePixels(canvas.current)
  }, [want, isKept])
  return { canvas, place, isKept, state }
}

/** Artwork that is moved is seen as finely as before: nothing but the canvas changes. */
const isSame = (before: ShownFrames, now: ShownFrames): boolean => JSON.stringify(before) === JSON.stringify(now)

function freePixels(canvas: HTMLCanvasElement): void {
  canvas.width = 1
  canvas.height = 1
}

/** Whether what a place shows is to stay ready. */
export function useIsKept(place: RefObject<HTMLElement | null>): boolean {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    const element = place.current
    return element === null ? undefined : keptPlaces.watch(element, ({ isIntersecting }) => setKept(isIntersecting))
  }, [place])
  return isKept
}

/** How early a place is drawn; null where it is far away. */
export function useNearness(place: RefObject<HTMLDivElement | null>): number | null {
  const [nearness, setNearness] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    return nearPlaces.watch(element, ({ isIntersecting, intersectionRect, boundingClientRect }) => {
      const isVisible = intersectionRect.bottom > 0 && boundingClientRect.top < innerHeight
      setNearness(isIntersecting ? (isVisible ? VISIBLE_PRIORITY : NEAR_PRIORITY) : null)
    })
  }, [place])
  return nearness
}
