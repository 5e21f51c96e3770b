/** The frames over the picture, in which the pointer moves, scales and turns the artwork. */
import './placing.css'
import type { DashboardTemplate } from '@vitrine/contract'
import {
  artworkOutline,
  frameCorners,
  isCentred,
  keyChange,
  type Point,
  type ShownFrames,
  toPicture,
} from '@vitrine/live'
import { type Dispatch, type KeyboardEvent, useRef } from 'react'
import { formatFrame } from '../format.ts'
import { placementOf } from '../visit/placing.ts'
import type { PlacingAction, PlacingState } from './placing-state.ts'
import { takes, usePlacingPointer } from './use-placing-pointer.ts'

type PlacingStageProps = {
  template: DashboardTemplate
  picture: ImageData
  shown: ShownFrames
  state: PlacingState
  dispatch: Dispatch<PlacingAction>
}

export function PlacingStage({ template, picture, shown, state, dispatch }: PlacingStageProps) {
  const surface = useRef<HTMLDivElement>(null)
  usePlacingPointer({ surface, shown, state, dispatch })
  const { selected } = state
  const { width, height } = picture
  const pointsOf = (points: readonly Point[]): string => points.map(([x, y]) => `${x * width},${y * height}`).join(' ')
  const outlineOf = (frame: number): readonly Point[] => {
    const drawn = template.render_mode === 'uvmap' ? (template.look?.outlines[frame] ?? []) : []
    const plane = shown.planes[frame]
    return drawn.length > 0 || plane === undefined ? drawn : frameCorners(plane)
  }
  const key = (event: KeyboardEvent, frame: number) => {
    if (event.key === 'Escape') return dispatch({ kind: 'select', frame: null })
    if (event.ctrlKey || event.metaKey) return
    const change = keyChange(placementOf(state.history.present, frame), event)
    if (change === null) return
    event.preventDefault()
    dispatch({ kind: 'place', frame, change })
  }
  return (
    <div ref={surface} className={selected === null ? 'placing' : 'placing placing-chosen'}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape on a frame does the same */}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Artwork in its frames"
        onPointerDown={({ target, currentTarget }) =>
          target === currentTarget && dispatch({ kind: 'select', frame: null })
        }
      >
        {shown.planes.map((_, frame) => {
          const placement = placementOf(state.history.present, frame)
          return (
            <polygon
              // biome-ignore lint/suspicious/noArrayIndexKey: a frame is named by its index
              key={frame}
              className={frame === selected ? 'placing-frame placing-frame-chosen' : 'placing-frame'}
              points={pointsOf(outlineOf(frame))}
              tabIndex={0}
              role="slider"
              aria-label={shown.planes.length > 1 ? `Artwork in ${formatFrame(frame)}` : 'Artwork in its frame'}
              aria-describedby="placing-keys"
              aria-valuenow={placement.x}
              aria-valuetext={`x ${placement.x}, y ${placement.y}, scale ${placement.scale}, rotation ${placement.rotation} degrees`}
              {...takes(frame, 'move')}
              onClick={() => dispatch({ kind: 'select', frame })}
              onFocus={event => event.currentTarget.matches(':focus-visible') && dispatch({ kind: 'select', frame })}
              onKeyDown={event => key(event, frame)}
            />
          )
        })}
        {selected !== null && <Guides shown={shown} state={state} frame={selected} pointsOf={pointsOf} />}
      </svg>
      {selected !== null && <Handles shown={shown} state={state} frame={selected} picture={picture} />}
      <p id="placing-keys" className="visually-hidden">
        Arrow keys move the artwork, with Shift further, with Alt less. Plus and minus scale it, brackets turn it.
      </p>
    </div>
  )
}

type ChosenProps = { shown: ShownFrames; state: PlacingState; frame: number }

/** The artwork's outline, and centre lines of its frame while the artwork is moved or rests there. */
function Guides({ shown, state, frame, pointsOf }: ChosenProps & { pointsOf: (points: readonly Point[]) => string }) {
  const [plane, artwork] = [shown.planes[frame], shown.artworks[frame]]
  if (plane === undefined || artwork === undefined) return null
  const placement = placementOf(state.history.present, frame)
  const size = { widthPx: artwork.width, heightPx: artwork.height }
  const { across, down } = isCentred(placement)
  const line = (from: Point, to: Point) => pointsOf([toPicture(plane, from), toPicture(plane, to)])
  const outline = pointsOf(artworkOutline(plane, size, placement).corners)
  return (
    <g aria-hidden="true" className="placing-guides">
      <polygon className="placing-under" points={outline} />
      <polygon points={outline} />
      {state.isMoving && (
        <>
          <polyline className={across ? 'placing-middle-met' : ''} points={line([0.5, 0], [0.5, 1])} />
          <polyline className={down ? 'placing-middle-met' : ''} points={line([0, 0.5], [1, 0.5])} />
        </>
      )}
    </g>
  )
}

/** Handles of artwork larger than the picture stay on the picture. */
const within = (share: number, margin: number): number => Math.max(margin, Math.min(1 - margin, share))
const percent = (share: number): string => `${share * 100}%`

type HandlesProps = ChosenProps & { picture: ImageData }

/** Four corner handles that scale, and one above that turns. Keys and fields do the same. */
function Handles({ shown, state, frame, picture }: HandlesProps) {
  const [plane, artwork] = [shown.planes[frame], shown.artworks[frame]]
  if (plane === undefined || artwork === undefined) return null
  const size = { widthPx: artwork.width, heightPx: artwork.height }
  const { corners, centre, top } = artworkOutline(plane, size, placementOf(state.history.present, frame))
  const up = Math.atan2((top[0] - centre[0]) * picture.width, (centre[1] - top[1]) * picture.height)
  return (
    <div aria-hidden="true">
      {corners.map(([x, y], corner) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a corner is named by its index
          key={corner}
          className="placing-handle"
          style={{ left: percent(within(x, 0.03)), top: percent(within(y, 0.03)) }}
          {...takes(frame, 'scale')}
        />
      ))}
      <span
        className="placing-handle placing-turn"
        style={{
          left: percent(within(top[0], 0.12)),
          top: percent(within(top[1], 0.12)),
          transform: `translate(-50%, -50%) rotate(${up}rad) translateY(-28px)`,
        }}
        {...takes(frame, 'turn')}
      />
    </div>
  )
}
