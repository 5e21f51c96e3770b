/** The zoom of the photo: about the pointer, the focused corner or the middle; and dragging. */
import { type Client, wheelPixels } from '@vitrine/live'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { usePinch } from './use-pinch.ts'

/** 1 shows the whole photo. */
const ZOOM_MIN = 1
/** Larger layers make pages slow, and the magnifier shows the pixels. */
const ZOOM_MAX = 8
const STEP = 1.5
/** Of a wheel, per pixel that it scrolls. */
const WHEEL_SHARE = 0.004

/** The point that stays while the zoom changes: a share of the stage, and a place in the view (CSS px). */
type Anchor = { readonly shareX: number; readonly shareY: number; readonly x: number; readonly y: number }

export type StageZoom = {
  readonly zoom: number
  readonly isLeast: boolean
  readonly isMost: boolean
  /** By one step, about the focused corner or the middle. */
  readonly onStep: (direction: 1 | -1) => void
  readonly onWhole: () => void
}

type Pan = { readonly pointerId: number; readonly from: Client; readonly left: number; readonly top: number }

const clamped = (zoom: number): number => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom))

/** `view` scrolls over the stage, which is `zoom` times as wide. */
export function useStageZoom(view: RefObject<HTMLDivElement | null>) {
  const [zoom, setZoom] = useState(ZOOM_MIN)
  const anchor = useRef<Anchor | null>(null)
  const pan = useRef<Pan | null>(null)
  const newest = useRef(zoom)
  const scrollToAnchor = () => {
    const element = view.current
    if (element === null || anchor.current === null) return
    const { shareX, shareY, x, y } = anchor.current
    element.scrollLeft = shareX * element.scrollWidth - x
    element.scrollTop = shareY * element.scrollHeight - y
  }
  /** The point at `from` moves to `about`; null: the focused corner or the middle stays. */
  const zoomAbout = (to: number, about: Client | null, from = about) => {
    const element = view.current
    if (element === null) return
    const box = element.getBoundingClientRect()
    const inView = ({ clientX, clientY }: Client) => [clientX - box.left, clientY - box.top] as const
    const [x, y] = about === null ? middleOf(element, box) : inView(about)
    const [fromX, fromY] = from === null ? [x, y] : inView(from)
    anchor.current = {
      shareX: (element.scrollLeft + fromX) / element.scrollWidth,
      shareY: (element.scrollTop + fromY) / element.scrollHeight,
      x,
      y,
    }
    const before = newest.current
    newest.current = clamped(to)
    if (newest.current === before) scrollToAnchor()
    else setZoom(newest.current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the stage has its new size
  useLayoutEffect(scrollToAnchor, [zoom])
  usePinch(view, (share, about, from) => zoomAbout(newest.current * share, about, from))
  useEffect(() => {
    const element = view.current
    if (element === null) return
    // A pinch on a touchpad is sent as a wheel with Control.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoomAbout(newest.current * Math.exp(-wheelPixels(event) * WHEEL_SHARE), event)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  })
  const onStep = (direction: 1 | -1) => zoomAbout(newest.current * STEP ** direction, null)
  const onWhole = () => zoomAbout(ZOOM_MIN, null)
  const shown: StageZoom = { zoom, isLeast: zoom <= ZOOM_MIN, isMost: zoom >= ZOOM_MAX, onStep, onWhole }
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '+' || event.key === '=') onStep(1)
      else if (event.key === '-') onStep(-1)
      else if (event.key === '0') onWhole()
      else return
      event.preventDefault()
    },
    /** Fingers scroll by themselves. */
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.pointerType === 'touch' || event.button > 1 || zoom <= ZOOM_MIN) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const { scrollLeft: left, scrollTop: top } = event.currentTarget
      pan.current = { pointerId: event.pointerId, from: event, left, top }
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (pan.current?.pointerId !== event.pointerId) return
      const { from, left, top } = pan.current
      event.currentTarget.scrollLeft = left - (event.clientX - from.clientX)
      event.currentTarget.scrollTop = top - (event.clientY - from.clientY)
    },
    onPointerUp: () => {
      pan.current = null
    },
    onPointerCancel: () => {
      pan.current = null
    },
  }
  return { shown, handlers }
}

/** That of the focused element in the view, or of the view. */
function middleOf(view: HTMLElement, box: DOMRect): readonly [x: number, y: number] {
  const { activeElement } = document
  if (!(activeElement instanceof SVGElement) || !view.contains(activeElement)) return [box.width / 2, box.height / 2]
  const focused = activeElement.getBoundingClientRect()
  return [focused.left + focused.width / 2 - box.left, focused.top + focused.height / 2 - box.top]
}
