/** Draws a scene of the gallery on a canvas and reports its state. */
import type { DashboardTemplate } from '@vitrine/contract'
import { type ShownFrames, showBitmap } from '@vitrine/live'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { PlaceWatch } from './place-watch.ts'
import type { SceneWant } from './scene-messages.ts'
import { scenePool } from './scene-pool.ts'

/** Scenes this close to the window are drawn too, after the visible ones. */
const NEAR = '300px'

/** Farther away, a scene's pixels (a megabyte) are freed. Until then, scrolling back shows them at once. */
const RETAINED = '1000px'

const nearPlaces = new PlaceWatch(NEAR)
const retainedPlaces = new PlaceWatch(RETAINED)

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
  /** Whether it is close enough to the window to retain its pixels. */
  readonly isRetained: boolean
  readonly state: SceneState
}

type WantedScene = Pick<SceneWant, 'placement' | 'colors'> & {
  /** `none`: the scene without artwork. Null: the scene is not drawn. */
  readonly artwork: File | 'none' | null
  /** Pack of the template; undefined if there is none. */
  readonly pack: DashboardTemplate['packs'][number] | undefined
  /** Drawn and retained however far it is from the window. */
  readonly isAlways?: boolean
  /** Called with whether the canvas shows the scene as it was last requested. */
  readonly onCurrent?: (isCurrent: boolean) => void
}

/** Draws the scene with its artwork while it is near the window. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas still shows the previous request
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
  const isRetained = useIsRetained(place) || isAlways
  useEffect(() => {
    if (want !== null && isRetained) return
    tell.current?.(false)
    setState({ kind: 'waiting' })
    if (canvas.current !== null && !canvas.current.hidden) freePixels(canvas.current)
  }, [want, isRetained])
  return { canvas, place, isRetained, state }
}

/** Moving artwork mostly leaves these unchanged; then only the canvas changes. */
const isSame = (before: ShownFrames, now: ShownFrames): boolean => JSON.stringify(before) === JSON.stringify(now)

function freePixels(canvas: HTMLCanvasElement): void {
  canvas.width = 1
  canvas.height = 1
}

/** Whether an element is close enough to the window to retain its pixels. */
export function useIsRetained(place: RefObject<HTMLElement | null>): boolean {
  const [isRetained, setRetained] = useState(true)
  useEffect(() => {
    const element = place.current
    return element === null
      ? undefined
      : retainedPlaces.watch(element, ({ isIntersecting }) => setRetained(isIntersecting))
  }, [place])
  return isRetained
}

/** An element's drawing priority; null if it is far from the window. */
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
