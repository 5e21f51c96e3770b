/** The photo with the artwork in it, and the handles of the selected frame. */
import { useEffect, useRef } from 'react'
import type { Point } from '../draft.ts'
import { FrameHandles, HANDLE_RADIUS_PX, pointsOf, StageFrame } from '../stage-frame.tsx'
import type { ScenePoint } from '../stage-handle.tsx'
import { BodyHandles, ClothHandles, WarpHandles } from './frame-points.tsx'
import {
  type ChangePhoto,
  movedBy,
  outlineOf,
  type PhotoDraft,
  type PhotoFrame,
  withFrame,
  withShape,
} from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'

/** The newest picture over the photo, whatever its size. */
export function PhotoPictureLayer({ picture }: { picture: ImageData }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    if (element.width !== picture.width) element.width = picture.width
    if (element.height !== picture.height) element.height = picture.height
    element.getContext('2d')?.putImageData(picture, 0, 0)
  }, [picture])
  return <canvas ref={canvas} className="stage-frame" role="img" aria-label="The photo with the artwork in it" />
}

type PhotoOutlinesProps = {
  draft: PhotoDraft
  lines: readonly FrameLines[]
  selected: string | null
  scale: number
  scenePoint: ScenePoint
  onActive: (point: Point | null) => void
  onSelect: (id: string) => void
  onChange: ChangePhoto
  onRemove: (id: string) => void
}

export function PhotoOutlines(props: PhotoOutlinesProps) {
  const { draft, lines } = props
  return (
    <svg viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`} role="group" aria-label="Frames on the photo">
      {draft.frames.map((frame, index) => (
        <FrameOutline key={frame.id} {...props} frame={frame} index={index} lines={lines[index]} />
      ))}
      {draft.frames.map((frame, index) =>
        frame.id === props.selected ? (
          <FramePoints key={frame.id} {...props} frame={frame} index={index} lines={lines[index]} />
        ) : null,
      )}
    </svg>
  )
}

type OneFrameProps = Omit<PhotoOutlinesProps, 'lines'> & {
  frame: PhotoFrame
  index: number
  /** Missing until it is first drawn. */
  lines: FrameLines | undefined
}

function FrameOutline(props: OneFrameProps) {
  const { draft, frame, index, lines, selected, scale, scenePoint, onActive, onSelect, onChange, onRemove } = props
  const corners = outlineOf(frame)
  return (
    <g className={frame.shape.kind === 'flat' ? '' : 'photo-shape'}>
      <StageFrame
        frame={{ id: frame.id, corners }}
        number={index + 1}
        isSelected={frame.id === selected}
        isFree={true}
        scale={scale}
        scene={draft}
        scenePoint={scenePoint}
        onActive={onActive}
        actions={{
          onSelect,
          onRemove,
          onCorners: (id, [to], gesture) =>
            onChange(
              before => withFrame(before, id, moved => movedBy(moved, differenceOf(to, outlineOf(moved)[0]))),
              gesture,
            ),
        }}
      />
      {lines?.body.map(line => (
        <polyline key={pointsOf(line)} className="photo-line" points={pointsOf(line)} />
      ))}
      {frame.shape.kind !== 'flat' && lines !== undefined && (
        <polygon className="photo-edge" points={pointsOf(lines.outline)} />
      )}
    </g>
  )
}

const differenceOf = ([ax, ay]: Point, [bx, by]: Point): Point => [ax - bx, ay - by]

function FramePoints(props: OneFrameProps) {
  const { frame, index, lines, scale, scenePoint, onActive, onSelect, onChange, onRemove } = props
  const { id, shape } = frame
  const handle = {
    scenePoint,
    onActive,
    radius: HANDLE_RADIUS_PX / scale,
    onFocus: () => onSelect(id),
    onRemove: () => onRemove(id),
  }
  if (shape.kind === 'body') return <BodyHandles {...{ id, index, shape, handle, onChange }} />
  if (shape.kind === 'warp') return <WarpHandles {...{ id, index, shape, handle, onChange }} />
  return (
    <>
      {shape.kind === 'cloth' && lines !== undefined && (
        <ClothHandles {...{ id, index, shape, handle, onChange }} grid={lines.grid} />
      )}
      <FrameHandles
        frame={{ id, corners: shape.corners }}
        number={index + 1}
        isSelected={true}
        isFree={true}
        scale={scale}
        scene={props.draft}
        scenePoint={scenePoint}
        onActive={onActive}
        actions={{
          onSelect,
          onRemove,
          onCorners: (frameId, corners, gesture) =>
            onChange(before => withShape(before, frameId, shape.kind, one => ({ ...one, corners })), gesture),
        }}
      />
    </>
  )
}
