/** A live scene with the artwork in it: pointers and keys place the artwork, a click opens the scene. */
import type { Placement } from '@vitrine/contract'
import { type FramePlane, restingLines, toPicture } from '@vitrine/live'
import { type Dispatch, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { PictureRoom } from '../components/template-picture.tsx'
import type { TabIndex } from '../components/use-tab-stop.ts'
import { formatFrames } from '../format.ts'
import { type GalleryPlacingAction, keyChangeOnGallery } from '../visit/gallery-placing.ts'
import { type ArtworkSize, badgesOf, cropOf, type SceneFacts } from './scene-facts.ts'
import { useScene } from './use-scene.ts'
import { useScenePointer } from './use-scene-pointer.ts'

type LiveTileProps = {
  template: SceneFacts
  /** `none`: the scene without artwork. Null: only `below` is shown. */
  artwork: File | 'none' | null
  /** The picture below the canvas until it is drawn; with `isBelowRetained`, far from the window too. */
  below: ReactNode
  isBelowRetained?: boolean
  size: ArtworkSize | null
  placement: Placement
  colors: ProductColors
  /** The width of the mockups to render; null hides the badges for cropping and enlargement. */
  widthPx: number | null
  dispatch: Dispatch<GalleryPlacingAction>
  /** Whether one finger moves the artwork. If not, it scrolls the page, and two fingers scale the artwork. */
  isTouchable?: boolean
  /** What the keys do, for screen readers. */
  keysHelp: string
  tabIndex?: TabIndex
  /** Drawn and retained however far it is from the window. */
  isAlways?: boolean
  /** Called with whether the canvas shows the scene as it was last requested. */
  onCurrent?: (isCurrent: boolean) => void
  /** Called for the space bar. */
  onMark: (templateId: string) => void
  onOpen: (templateId: string) => void
  children?: ReactNode
}

const arrowKeys = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

export function LiveTile(props: LiveTileProps) {
  const { template, artwork, size, placement, colors, widthPx, dispatch, isTouchable = false, keysHelp } = props
  const { tabIndex = 0, below, isBelowRetained = false, isAlways = false, onCurrent, onMark, onOpen, children } = props
  const [pack] = template.packs
  const { canvas, place, isRetained, state } = useScene({
    pack,
    artwork,
    placement,
    colors,
    isAlways,
    ...(onCurrent === undefined ? {} : { onCurrent }),
  })
  const surface = useRef<HTMLButtonElement>(null)
  const [plane] = state.kind === 'shown' ? state.shown.planes : []
  const placed = size === null ? null : { ...size, aspectRatio: template.frames[0]?.aspect_ratio ?? 1 }
  const isMoved = useScenePointer({
    surface,
    template,
    placement,
    plane,
    placed,
    isTouchable,
    dispatch,
    onRest: () => announceUnseen(describe()),
    onClick: () => onOpen(template.id),
  })
  const crop = size === null ? 0 : cropOf(template, size, placement)
  const density = state.kind === 'shown' ? Math.min(...state.shown.artworks.map(each => each.density)) : Infinity
  const badges = [
    ...(template.frames.length > 1 ? [formatFrames(template.frames.length)] : []),
    ...badgesOf(crop, density, pack?.width_px ?? 480, widthPx),
  ]
  const describe = (): string => [template.name ?? template.id, ...badges].join(', ')
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.ctrlKey || event.metaKey) return
    if (event.key === ' ') {
      event.preventDefault()
      onMark(template.id)
    } else if (arrowKeys.has(event.key) && !event.shiftKey) {
      event.preventDefault()
      walk(event.currentTarget, event.key)
    } else if (event.key === '0') {
      dispatch({ kind: 'reset', template })
    } else if (placed !== null) {
      const change = keyChangeOnGallery(placement, placed, event)
      if (change === null) return
      event.preventDefault()
      dispatch({ kind: 'place', template, change: { ...placement, ...change }, isOwn: event.altKey })
      dispatch({ kind: 'rest' })
    }
  }
  useAnnounceAtRest(describe, placement, surface)
  return (
    <div ref={place} className="tile-scene">
      <button
        ref={surface}
        type="button"
        className={isTouchable ? 'tile-picture tile-held' : 'tile-picture'}
        tabIndex={tabIndex}
        aria-label={`${describe()}. ${keysHelp}`}
        data-tile={template.id}
        onKeyDown={onKeyDown}
        onKeyUp={event => event.key === ' ' && event.preventDefault()}
      >
        {isRetained || isBelowRetained || template.look === null ? below : <PictureRoom look={template.look} />}
        <canvas ref={canvas} className="tile-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
        {isMoved && plane !== undefined && <RestingLines plane={plane} placement={placement} />}
      </button>
      {badges.length > 0 && <p className="tile-badges">{badges.join(' · ')}</p>}
      {state.kind === 'failed' && (
        <p className="tile-badges" role="status">
          Not shown: {state.message}
        </p>
      )}
      {children}
    </div>
  )
}

/** The shortest time between two announcements. */
const ANNOUNCED_EVERY_MS = 500

/** Announces what keys or the wheel have changed in the focused scene, once it rests. */
function useAnnounceAtRest(
  describe: () => string,
  placement: Placement,
  surface: { readonly current: HTMLElement | null },
): void {
  const newest = useRef(describe)
  const told = useRef(placement)
  useEffect(() => {
    newest.current = describe
  })
  useEffect(() => {
    if (told.current === placement || surface.current !== document.activeElement) return
    const timer = setTimeout(() => {
      told.current = placement
      announceUnseen(newest.current())
    }, ANNOUNCED_EVERY_MS)
    return () => clearTimeout(timer)
  }, [placement, surface])
}

/** Moves the focus to the next scene: left and right in order, up and down to the nearest. */
function walk(from: HTMLElement, key: string): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-tile]')]
  const index = all.indexOf(from)
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    all[index + (key === 'ArrowLeft' ? -1 : 1)]?.focus()
    return
  }
  const box = from.getBoundingClientRect()
  const isDown = key === 'ArrowDown'
  const nearest = all
    .map(tile => ({ tile, box: tile.getBoundingClientRect() }))
    .filter(other => (isDown ? other.box.top >= box.bottom - 1 : other.box.bottom <= box.top + 1))
    .map(other => ({ ...other, away: Math.abs(other.box.left - box.left) * 4 + Math.abs(other.box.top - box.top) }))
    .toSorted((a, b) => a.away - b.away)[0]
  nearest?.tile.focus()
}

/** Hairlines through the centre of the frame that the artwork has snapped to. */
export function RestingLines({ plane, placement }: { plane: FramePlane; placement: Placement }) {
  const { across, down } = restingLines(placement)
  const lines = [
    ...(across ? [[toPicture(plane, [0.5, 0]), toPicture(plane, [0.5, 1])] as const] : []),
    ...(down ? [[toPicture(plane, [0, 0.5]), toPicture(plane, [1, 0.5])] as const] : []),
  ]
  return (
    <svg className="tile-lines" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {lines.map(([from, to]) => (
        <line key={`${from[0]} ${from[1]}`} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
      ))}
    </svg>
  )
}
